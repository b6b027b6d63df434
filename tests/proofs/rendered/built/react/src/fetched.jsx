// The text comes from an interface of the site; a portal shows a notice beside it.
import { startTransition, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { createRoot } from "react-dom/client";
import { Story } from "./Story.jsx";

function App() {
  const [story, setStory] = useState(null);
  useEffect(() => {
    const leaving = new AbortController();
    fetch("./story.json", { signal: leaving.signal })
      .then((answer) => answer.json())
      .then((read) => startTransition(() => setStory(read)));
    return () => leaving.abort();
  }, []);
  return (
    <main aria-busy={!story}>
      {story ? <Story story={story} /> : <p>Loading</p>}
      {createPortal(<aside role="status">{story ? "Ready" : "Waiting"}</aside>, document.body)}
    </main>
  );
}

createRoot(document.getElementById("root")).render(<App />);
