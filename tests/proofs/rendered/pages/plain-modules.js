// Modules without a build: an import map, an import of data, one at run time.
import { show } from "view";

const { default: story } = await import("./story.json", { with: { type: "json" } });
show(document.getElementById("app"), story);
