import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: {
    outDir: "output",
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ["article.html", "lazy.html", "fetched.html", "hydrated.html"] },
  },
});
