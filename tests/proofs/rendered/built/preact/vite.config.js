import { defineConfig } from "vite";

// One classic script, as sites embed it that have no build of their own.
export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "output",
    lib: { entry: "src/widget.jsx", name: "harbour", formats: ["iife"], fileName: () => "widget.js" },
  },
  publicDir: "public",
});
