// The article is a chunk of its own that arrives behind a suspense boundary.
import { lazy, Suspense } from "react";
import { createRoot } from "react-dom/client";

const Article = lazy(() => import("./LazyArticle.jsx"));

createRoot(document.getElementById("root")).render(
  <Suspense fallback={<p>Loading</p>}>
    <Article />
  </Suspense>,
);
