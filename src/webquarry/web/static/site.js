"use strict";
// Small comforts; every page works without them.

function addCopyButtons(root) {
  for (const figure of root.querySelectorAll("figure[data-copy]")) {
    if (figure.querySelector(".copy")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => copy(figure, button));
    figure.append(button);
  }
}

async function copy(figure, button) {
  const text = figure.querySelector("[data-text], pre").textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    const range = document.createRange(); // without https there is no clipboard: select it for the reader
    range.selectNodeContents(figure.querySelector("[data-text], pre"));
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 1600);
}

const PICKED = "webquarry-tab";

function recall() {
  try { return localStorage.getItem(PICKED); } catch { return null; }
}

function pickEverywhere(name) {
  for (const input of document.querySelectorAll("[data-tabs] > input[type=radio]")) {
    if (input.value === name) input.checked = true;
  }
}

document.addEventListener("change", (event) => {
  const input = event.target;
  if (!input.matches || !input.matches("[data-tabs] > input[type=radio]")) return;
  pickEverywhere(input.value);
  try { localStorage.setItem(PICKED, input.value); } catch { /* private windows */ }
});

// a form that asks before it destroys: <form data-confirm="Revoke this key?">
document.addEventListener("submit", (event) => {
  const question = event.target.dataset && event.target.dataset.confirm;
  if (question && !confirm(question)) event.preventDefault();
});

// a button that opens a dialog, and one that closes it; without script both are links
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-dialog], [data-close]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const dialog = link.dataset.dialog ? document.getElementById(link.dataset.dialog) : link.closest("dialog");
  if (!dialog) return;
  event.preventDefault();
  if (link.dataset.dialog) dialog.showModal();
  else dialog.close();
});

const picked = recall();
if (picked) pickEverywhere(picked);
addCopyButtons(document);
