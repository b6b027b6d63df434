export function show(place, { title, paragraphs }) {
  const element = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  place.replaceChildren(element("h1", title), ...paragraphs.map((text) => element("p", text)));
}
