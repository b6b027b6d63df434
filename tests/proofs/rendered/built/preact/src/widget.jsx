// A class component with a life cycle, in a classic script that looks for its place by itself.
import { Component, render } from "preact";

class Widget extends Component {
  state = { story: null };

  async componentDidMount() {
    const answer = await fetch(this.props.address);
    this.setState({ story: await answer.json() });
  }

  render({}, { story }) {
    if (!story) return <p class="spinner">Loading</p>;
    return (
      <section>
        <h1>{story.title}</h1>
        {story.paragraphs.map((paragraph) => (
          <p>{paragraph}</p>
        ))}
      </section>
    );
  }
}

for (const place of document.querySelectorAll("[data-story]")) {
  render(<Widget address={place.dataset.story} />, place);
}
