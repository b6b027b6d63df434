// Web components of a library: templates in shadow roots, one within the other, styles adopted.
import { css, html, LitElement } from "lit";

class StoryParagraph extends LitElement {
  static styles = css`:host { display: block }`;

  render() {
    return html`<p><slot></slot></p>`;
  }
}

class StoryReader extends LitElement {
  static properties = { address: {}, story: { state: true } };

  async connectedCallback() {
    super.connectedCallback();
    this.story = await (await fetch(this.address)).json();
  }

  render() {
    if (!this.story) return html`<p>Loading</p>`;
    const { title, paragraphs } = this.story;
    return html`<h1>${title}</h1>${paragraphs.map((text) => html`<story-paragraph>${text}</story-paragraph>`)}`;
  }
}

customElements.define("story-paragraph", StoryParagraph);
customElements.define("story-reader", StoryReader);
