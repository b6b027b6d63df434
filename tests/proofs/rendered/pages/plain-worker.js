// Fetches and prepares the markup beside the page.
onmessage = async ({ data: address }) => {
  const { title, paragraphs } = await (await fetch(address)).json();
  postMessage(`<h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join("")}`);
};
