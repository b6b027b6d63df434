import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: { outDir: "output", target: "es2020", rolldownOptions: { input: "routes.html" } },
});
