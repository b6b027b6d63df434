import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: { outDir: "output", modulePreload: { polyfill: false }, rolldownOptions: { input: "reader.html" } },
});
