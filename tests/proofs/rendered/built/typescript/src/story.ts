import stories from "../stories.json";

export function show(place: HTMLElement): void {
  const { title, paragraphs } = stories["typescript-routes"];
  document.title = title;
  const heading = Object.assign(document.createElement("h1"), { textContent: title });
  place.replaceChildren(heading, ...paragraphs.map((textContent) => Object.assign(document.createElement("p"), { textContent })));
}
