"use strict";
// The JSON pane: search, fold, copy, and copy the path of a key. The tree itself comes from the server.

let hits = [];
let at = -1;

function prepareJson() {
  const bar = document.querySelector(".json-bar");
  hits = [];
  if (bar) {
    bar.hidden = false;
    document.querySelector(".json-tree").classList.add("live");
  }
  for (const button of document.querySelectorAll("[data-copy-link]")) button.hidden = false;
}

// The path of a row as code writes it: data.places[0]["a b"]
function findPath(row) {
  const steps = [];
  for (let item = row; item; item = item.parentElement.closest(".json-tree li")) {
    const name = item.querySelector(":scope > .key, :scope > .at, :scope > details > summary > .key, :scope > details > summary > .at");
    const text = name.textContent;
    const plain = /^[A-Za-z_$][\w$]*$/.test(text);
    steps.unshift(name.matches(".at") ? `[${text}]` : plain ? `.${text}` : `[${JSON.stringify(text)}]`);
  }
  return steps.join("").replace(/^\./, "");
}

function say(text) {
  document.getElementById("json-said").textContent = text;
}

async function copyText(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return `Copied ${shown}`;
  } catch { // without https there is no clipboard
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const is = document.execCommand("copy");
    area.remove();
    return is ? `Copied ${shown}` : `Could not copy. ${shown}`;
  }
}

function find(text) {
  const tree = document.querySelector(".json-tree");
  for (const node of tree.querySelectorAll(".hit")) node.classList.remove("hit", "now");
  const words = text.trim().toLowerCase();
  at = -1;
  hits = words === "" ? [] : [...tree.querySelectorAll(".key, .text, .number, .flag, .none")]
    .filter((node) => node.textContent.toLowerCase().includes(words));
  for (const node of hits) {
    node.classList.add("hit");
    for (let fold = node.closest("details"); fold && tree.contains(fold); fold = fold.parentElement.closest("details")) {
      if (!node.parentElement.matches("summary") || node.parentElement.parentElement !== fold) fold.open = true;
    }
  }
  if (hits.length) showHit(1);
  else say(words ? "No matches" : "Select a key to copy its path.");
}

function showHit(step) {
  if (!hits.length) return;
  if (at >= 0) hits[at].classList.remove("now");
  at = (at + step + hits.length) % hits.length;
  hits[at].classList.add("now");
  const tree = document.querySelector(".json-tree");
  tree.scrollTop += hits[at].getBoundingClientRect().top - tree.getBoundingClientRect().top - tree.clientHeight / 3;
  say(`${at + 1} of ${hits.length}`);
}

document.addEventListener("input", (event) => {
  if (event.target.id === "json-find") find(event.target.value);
});

document.addEventListener("keydown", (event) => {
  if (event.target.id === "json-find" && event.key === "Enter") showHit(event.shiftKey ? -1 : 1);
  if (event.key !== "c" || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = event.target.matches(".json-tree summary") && event.target.closest("li");
  if (row) copyPath(row);
});

async function copyPath(row) {
  const path = findPath(row);
  say(await copyText(path, path));
}

document.addEventListener("click", async (event) => {
  const target = event.target;
  const key = target.closest(".json-tree .key, .json-tree .at");
  if (key) {
    event.preventDefault(); // in a folded row, the rest of the line still folds
    await copyPath(key.closest("li"));
  } else if (target.matches("[data-fold]")) {
    const folds = [...document.querySelectorAll(".json-tree details")];
    for (const fold of folds) fold.open = target.dataset.fold === "open" || fold === folds[0];
  } else if (target.matches("[data-copy-json]")) {
    say(await copyText(document.querySelector(".as-text pre").textContent, "the response"));
  } else if (target.matches("[data-copy-link]")) {
    target.textContent = await copyText(document.getElementById(target.dataset.copyLink).href, "the link");
    setTimeout(() => { target.textContent = "Copy link"; }, 1600);
  }
});

prepareJson();
