import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  // with its compiler: one of the pages has its template in the document
  resolve: { alias: { vue: "vue/dist/vue.esm-bundler.js" } },
  define: { __VUE_OPTIONS_API__: true, __VUE_PROD_DEVTOOLS__: false, __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: false },
  build: {
    outDir: "output",
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ["template.html", "async.html"] },
  },
});
