(() => {
  const story = STORY;
  document.getElementById("root").innerHTML =
    `<section><h1>${story.title}</h1>${story.paragraphs.map((text) => `<p>${text}</p>`).join("")}</section>`;
})();
