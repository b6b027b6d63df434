"use strict";
// Results while one types. Without this the form leads to the page of results.

const PAUSE_MS = 80;

function write(tag, pieces, className) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const [text, matches] of pieces) {
    if (!matches) { node.append(text); continue; }
    const mark = document.createElement("mark");
    mark.textContent = text;
    node.append(mark);
  }
  return node;
}

function writeHit(hit, number) {
  const item = document.createElement("div");
  item.className = "hit";
  item.id = `docs-result-${number}`;
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", "false");
  item.dataset.address = hit.address;
  item.append(write("strong", hit.title), write("span", hit.excerpt, "about"));
  return item;
}

function writeGroups(found) {
  let number = 0;
  return found.groups.map(([kind, hits]) => {
    const group = document.createElement("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", kind);
    const head = document.createElement("div");
    head.className = "kind";
    head.setAttribute("aria-hidden", "true");
    head.textContent = kind;
    group.append(head, ...hits.map((hit) => writeHit(hit, number++)));
    return group;
  });
}

function enhance(form) {
  const input = form.querySelector("input[type=search]");
  const list = document.createElement("div");
  list.className = "results";
  list.id = "docs-results";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Search results");
  list.hidden = true;
  const note = document.createElement("p");
  note.className = "results nothing";
  note.setAttribute("role", "status");
  note.hidden = true;
  form.append(list, note);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-autocomplete", "list");
  let waiting = 0;
  let asking = null;
  let chosen = -1;

  async function ask() {
    if (asking) asking.abort();
    const query = input.value.trim();
    if (!query) { close(); return; }
    asking = new AbortController();
    try {
      const answer = await fetch(`${form.dataset.search}?q=${encodeURIComponent(query)}`, { signal: asking.signal });
      if (answer.ok) show(query, await answer.json());
    } catch (error) {
      if (error.name !== "AbortError") close(); // offline: the form still works later
    }
  }

  function show(query, found) {
    chosen = -1;
    list.replaceChildren(...writeGroups(found));
    list.dataset.query = query;
    list.hidden = found.groups.length === 0;
    note.hidden = !list.hidden;
    note.textContent = note.hidden ? "" : `No results for “${query}”. Try fewer or shorter words.`;
    input.setAttribute("aria-expanded", String(!list.hidden));
    input.removeAttribute("aria-activedescendant");
  }

  function close() {
    list.hidden = note.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function choose(number) {
    const items = list.querySelectorAll(".hit");
    if (!items.length) return;
    if (chosen >= 0) items[chosen].setAttribute("aria-selected", "false");
    chosen = (number + items.length) % items.length;
    items[chosen].setAttribute("aria-selected", "true");
    items[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[chosen].id);
  }

  input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(ask, PAUSE_MS); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) ask();
      else choose(event.key === "ArrowDown" ? chosen + 1 : chosen < 0 ? -1 : chosen - 1);
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      location.assign(list.querySelectorAll(".hit")[chosen].dataset.address);
    } else if (event.key === "Escape") {
      close();
    }
  });
  list.addEventListener("mousedown", (event) => {
    const item = event.target.closest(".hit");
    if (item) { event.preventDefault(); location.assign(item.dataset.address); }
  });
  input.addEventListener("blur", close);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest && event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    input.focus();
  });
}

// the contents mark the section that is read
function follow(nav) {
  const links = new Map([...nav.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver((changes) => {
    for (const change of changes) {
      if (!change.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(change.target.id).setAttribute("aria-current", "true");
    }
  }, { rootMargin: "0px 0px -70% 0px" });
  for (const id of links.keys()) {
    const head = document.getElementById(id);
    if (head) seen.observe(head);
  }
}

// a link to a folded row unfolds it
function unfold() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let node = target.parentElement; node; node = node.parentElement) {
    if (node.tagName === "DETAILS") node.open = true;
  }
  target.scrollIntoView();
}

// the whole page as markdown, for a prompt
function offerCopy(button) {
  if (!navigator.clipboard) return; // without https there is none
  button.hidden = false;
  button.addEventListener("click", async () => {
    const answer = await fetch(button.dataset.copyPage);
    if (!answer.ok) return;
    await navigator.clipboard.writeText(await answer.text());
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy page"; }, 1600);
  });
}

for (const button of document.querySelectorAll("[data-copy-page]")) offerCopy(button);
addEventListener("hashchange", unfold);
unfold();
for (const form of document.querySelectorAll("form[data-search]")) enhance(form);
for (const nav of document.querySelectorAll(".contents")) follow(nav);
