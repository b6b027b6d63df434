// Runs in a world of its own beside the page's: it sees the page's document, the page does not see it.
(() => {
  const WORDLESS = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "TEXTAREA"]);
  const VOID = new Set([
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
  ]);
  const RAW = new Set(["script", "style", "xmp"]);
  // scripts did run, and what a template holds is not on the page
  const DROPPED = new Set(["noscript", "noembed", "noframes", "template"]);
  const FRAMES = new Set(["iframe", "frame"]);
  const MAX_STEPS = 40;
  const PIECE = 256 * 1024;
  let pieces = [];
  const SCROLLABLE_PX = 100;
  const FRAME_MS = 200; // longest wait for one; a busy machine shows few

  // As the standard has them: forms and documents let an element with a name stand in for their own properties.
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (node) => get.call(node);
  };
  const method = (type, name) => {
    const called = type.prototype[name];
    return (node, ...values) => called.apply(node, values);
  };
  const typeOf = getter(Node, "nodeType");
  const nodesOf = getter(Node, "childNodes");
  const textOf = getter(Node, "textContent");
  const documentOf = getter(Node, "ownerDocument");
  const rootOf = method(Node, "getRootNode");
  const nameOf = getter(Element, "localName");
  const attributesOf = getter(Element, "attributes");
  const shadowOf = getter(Element, "shadowRoot");
  const bodyOf = getter(Document, "body");
  const scrollingOf = getter(Document, "scrollingElement");
  const readyOf = getter(Document, "readyState");
  const addressOf = getter(Document, "URL");
  const walk = method(Document, "createTreeWalker");
  const all = (root) =>
    (typeOf(root) === Node.DOCUMENT_NODE ? Document : DocumentFragment).prototype.querySelectorAll.call(root, "*");
  const isShadowed = (node) => typeOf(rootOf(node)) === Node.DOCUMENT_FRAGMENT_NODE;

  const observed = new WeakSet();
  let changed_ms = performance.now();
  const observer = new MutationObserver(() => {
    changed_ms = performance.now();
  });

  /** The document of a frame of the same origin, else null. */
  function framed(element) {
    try {
      return element.contentDocument;
    } catch {
      return null;
    }
  }

  /** The document, open shadow roots and documents of frames, to any depth. */
  function roots() {
    const found = [document];
    for (const root of found) {
      for (const element of all(root)) {
        const inner = FRAMES.has(nameOf(element)) ? framed(element) : shadowOf(element);
        if (inner) found.push(inner);
      }
    }
    return found;
  }

  const visible = (root) => (typeOf(root) === Node.DOCUMENT_NODE ? (bodyOf(root) ?? root) : root);

  /** How things stand: ms since the last change, whether the parser is done, letters of text (counted up to `enough`). */
  function survey(enough) {
    let letters = 0;
    for (const root of roots()) {
      if (!observed.has(root)) {
        observed.add(root);
        observer.observe(root, { subtree: true, childList: true, characterData: true });
        changed_ms = performance.now();
      }
      const texts = walk(document, visible(root), NodeFilter.SHOW_TEXT);
      while (letters < enough && texts.nextNode()) {
        const text = texts.currentNode;
        if (!WORDLESS.has(text.parentElement?.tagName)) letters += text.data.trim().length;
      }
    }
    return { still_ms: performance.now() - changed_ms, parsed: readyOf(document) !== "loading", letters };
  }

  const overflows = (element) => element.scrollHeight - element.clientHeight > SCROLLABLE_PX;

  /** What scrolls: the document, else the largest element that does, else undefined. */
  function scroller() {
    const page = scrollingOf(document);
    if (page && overflows(page)) return page;
    return [...all(document)]
      .filter((element) => element.clientHeight > innerHeight / 2 && overflows(element))
      .filter((element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowY))
      .sort((a, b) => b.clientHeight * b.clientWidth - a.clientHeight * a.clientWidth)[0];
  }

  const painted = () =>
    new Promise((done) => {
      requestAnimationFrame(done);
      setTimeout(done, FRAME_MS);
    });

  /** Go down, screen by screen, to where the end was at first, and back up. Says whether there was anything to scroll. */
  async function scroll() {
    const area = scroller();
    if (!area) return false;
    const end = area.scrollHeight;
    for (let step = 1; step <= MAX_STEPS && area.scrollTop + area.clientHeight < end - 1; step++) {
      const before = area.scrollTop;
      area.scrollTo({ top: before + area.clientHeight, behavior: "instant" });
      await painted();
      if (area.scrollTop === before) break;
    }
    return true;
  }

  function unscroll() {
    scroller()?.scrollTo({ top: 0, behavior: "instant" });
  }

  const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign]);

  /** Opening tag. Inside a frame addresses are made absolute, since its base is not the page's. */
  function opening(element) {
    let tag = `<${nameOf(element)}`;
    for (const { name, value } of attributesOf(element)) {
      const resolves = (name === "href" || name === "src") && documentOf(element) !== document;
      const absolute = resolves && typeof element[name] === "string" ? element[name] : value;
      tag += ` ${name}="${escaped(absolute)}"`;
    }
    return `${tag}>`;
  }

  /** What a reader sees below a node: shadow trees in place of what they hide, slots filled. */
  function children(node) {
    if (nameOf(node) === "slot" && isShadowed(node)) return node.assignedNodes({ flatten: true });
    return nodesOf(shadowOf(node) ?? node);
  }

  /**
   * The page as one HTML text of at most `max` UTF-16 units, null when there is more: its first piece, and how many
   * there are. Open shadow trees are flattened into it in reading order and frames of the same origin stand where they
   * are shown. Without recursion: pages nest deeper than stacks.
   */
  function take(max) {
    const written = [];
    let length = 0;
    const waiting = [document]; // nodes still to be written, and texts, the next one last
    const push = (nodes) => {
      for (let n = nodes.length - 1; n >= 0; n--) waiting.push(nodes[n]);
    };
    const write = (text) => {
      written.push(text);
      length += text.length;
    };
    while (waiting.length && length <= max) {
      const node = waiting.pop();
      if (typeof node === "string") write(node);
      else if (typeOf(node) === Node.TEXT_NODE) write(escaped(node.data));
      else if (typeOf(node) === Node.DOCUMENT_TYPE_NODE) write(`<!DOCTYPE ${node.name}>`);
      else if (typeOf(node) === Node.DOCUMENT_NODE) push(nodesOf(node));
      else if (typeOf(node) === Node.ELEMENT_NODE) writeElement(node, write, push);
    }
    if (length > max) return null;
    pieces = cut(written.join("").toWellFormed());
    return { count: pieces.length, first: pieces[0] };
  }

  /** One of the pieces taken last; nothing in a document that has come since. */
  const piece = (number) => pieces[number];

  /** Texts of `PIECE` units, none of which ends within a character. */
  function cut(text) {
    const found = [];
    let start = 0;
    do {
      let end = start + PIECE;
      if (text.codePointAt(end - 1) > 0xffff) end += 1;
      found.push(text.slice(start, end));
      start = end;
    } while (start < text.length);
    return found;
  }

  function writeElement(element, write, push) {
    const name = nameOf(element);
    if (DROPPED.has(name)) return;
    if (name === "style" && isShadowed(element)) return; // holds for its shadow tree only
    if (name === "slot" && isShadowed(element)) push(children(element));
    else if (FRAMES.has(name)) push(frame(element));
    else if (VOID.has(name)) write(opening(element));
    else if (RAW.has(name)) write(`${opening(element)}${raw(element)}</${name}>`);
    else {
      write(opening(element));
      push([...children(element), `</${name}>`]);
    }
  }

  const raw = (element) => textOf(element).replaceAll(/<\/(?=script|style|xmp)/gi, "<\\/");

  function frame(element) {
    const inside = framed(element);
    const body = inside && bodyOf(inside);
    if (!body) return [`${opening(element)}</${nameOf(element)}>`];
    return [`<div data-frame="${escaped(addressOf(inside))}">`, ...nodesOf(body), "</div>"];
  }

  globalThis.webquarry = { survey, scroll, unscroll, take, piece };
})();
