"use strict";
// Search as one types, by the index of all pages. Without it the form leads to the page of results.

const WEIGHTS = { operation: 3, guide: 2.5, section: 1.4, error: 2, parameter: 1, field: 1 };
const SHOWN = 12;

function score([title, about, kind], words) {
  const low = title.toLowerCase();
  const parts = low.split(/[^a-z0-9]+/);
  const rest = about.toLowerCase();
  let total = 0;
  for (const word of words) {
    if (low === word) total += 10;
    else if (parts.includes(word)) total += 6;
    else if (low.startsWith(word)) total += 5;
    else if (low.includes(word)) total += 3;
    else if (rest.includes(word)) total += 1;
    else return 0;
  }
  return total * WEIGHTS[kind];
}

function find(entries, query) {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_@./-]+/gu) || [];
  if (!words.length) return [];
  return entries
    .map((entry) => [score(entry, words), entry])
    .filter(([points]) => points > 0)
    .sort((a, b) => b[0] - a[0])
    .slice(0, SHOWN)
    .map(([, entry]) => entry);
}

function enhance(form) {
  const input = form.querySelector("input[type=search]");
  const list = document.createElement("ul");
  list.className = "results";
  list.id = "docs-results";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Search results");
  list.hidden = true;
  form.append(list);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-autocomplete", "list");
  let entries = null;
  let chosen = -1;

  async function load() {
    if (entries) return;
    entries = [];
    const answer = await fetch(form.dataset.search);
    if (answer.ok) entries = await answer.json();
    show();
  }

  function show() {
    const found = entries ? find(entries, input.value) : [];
    chosen = -1;
    list.replaceChildren(...found.map(([title, about, kind, address], number) => {
      const item = document.createElement("li");
      item.id = `docs-result-${number}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.dataset.address = address;
      const mark = document.createElement("span");
      mark.className = "kind";
      mark.textContent = kind;
      const name = document.createElement("strong");
      name.textContent = title;
      const rest = document.createElement("span");
      rest.className = "about";
      rest.textContent = about;
      item.append(mark, name, rest);
      return item;
    }));
    open(found.length > 0);
  }

  function open(is) {
    list.hidden = !is;
    input.setAttribute("aria-expanded", String(is));
    if (!is) input.removeAttribute("aria-activedescendant");
  }

  function choose(number) {
    const items = list.children;
    if (!items.length) return;
    if (chosen >= 0) items[chosen].setAttribute("aria-selected", "false");
    chosen = (number + items.length) % items.length;
    items[chosen].setAttribute("aria-selected", "true");
    items[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[chosen].id);
  }

  input.addEventListener("focus", load);
  input.addEventListener("input", () => { load(); show(); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) show();
      choose(event.key === "ArrowDown" ? chosen + 1 : chosen < 0 ? -1 : chosen - 1);
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      location.assign(list.children[chosen].dataset.address);
    } else if (event.key === "Escape") {
      open(false);
    }
  });
  list.addEventListener("mousedown", (event) => {
    const item = event.target.closest("li");
    if (item) { event.preventDefault(); location.assign(item.dataset.address); }
  });
  input.addEventListener("blur", () => open(false));
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

for (const form of document.querySelectorAll("form[data-search]")) enhance(form);
for (const nav of document.querySelectorAll(".contents")) follow(nav);
