import { h, ref } from "vue";
import stories from "../stories.json";

export default {
  async setup() {
    const story = ref(await Promise.resolve(stories["vue-async"]));
    return () =>
      h("article", [
        h("h1", story.value.title),
        story.value.paragraphs.map((paragraph) => h("p", paragraph)),
      ]);
  },
};
