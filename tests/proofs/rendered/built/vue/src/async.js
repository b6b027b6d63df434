// Composition: an asynchronous component below a suspense boundary, and a teleport.
import { createApp, defineAsyncComponent, h, Suspense, Teleport } from "vue";

const Article = defineAsyncComponent(() => import("./article.js"));

createApp({
  setup: () => () => [
    h(Suspense, null, { default: () => h("main", h(Article)), fallback: () => h("p", "Loading") }),
    h(Teleport, { to: "body" }, h("aside", "A note beside the page.")),
  ],
}).mount("#app");
