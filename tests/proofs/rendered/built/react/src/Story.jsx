export function Story({ story }) {
  return (
    <article>
      <h1>{story.title}</h1>
      {story.paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </article>
  );
}
