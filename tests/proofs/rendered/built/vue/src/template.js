// Options, and a template that stands in the document with its braces until the program has run.
import { createApp } from "vue";
import stories from "../stories.json";

createApp({
  data: () => ({ story: { title: "", paragraphs: [] }, waiting: "Loading" }),
  mounted() {
    this.$nextTick(() => {
      this.story = stories["vue-template"];
    });
  },
}).mount("#app");
