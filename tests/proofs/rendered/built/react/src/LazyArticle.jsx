import stories from "../stories.json";
import { Story } from "./Story.jsx";

export default function LazyArticle() {
  return (
    <main>
      <Story story={stories["react-lazy"]} />
    </main>
  );
}
