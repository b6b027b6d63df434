"use strict";
// Works on top of plain forms, which need no script.
// The server always returns a whole page; parts of it replace parts of this one.

const call = document.getElementById("call");
let waiting = null; // the latest request to the server; earlier ones are ignored
let running = false;

function take(html, parts) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const id of parts) {
    const fresh = page.getElementById(id);
    if (fresh) document.getElementById(id).replaceWith(fresh);
  }
  for (const id of parts) addCopyButtons(document.getElementById(id));
  prepareJson();
  const picked = recall();
  if (picked) pickEverywhere(picked);
  return page;
}

// Fill the response pane from a template of this page
function fillPane(template) {
  const pane = document.getElementById("answer");
  pane.replaceChildren(document.getElementById(template).content.cloneNode(true));
  return pane;
}

function enableRun(is) {
  for (const button of call.querySelectorAll(".run-actions button")) button.disabled = !is;
}

function explainStop(fault) {
  const free = call.elements.sandbox && call.elements.sandbox.checked;
  if (call.dataset.lost) return call.dataset.lost;
  if (fault.name !== "AbortError") {
    return free ? "The connection was lost. Run the request again."
      : "The connection was lost. If the request had started, its response will appear in your history.";
  }
  return free ? "You canceled the request. Nothing was charged."
    : "You stopped waiting, but the request continues. Its response will appear in your history and is charged as usual. Failed requests are refunded.";
}

async function send(action) {
  const control = waiting = new AbortController();
  const body = new FormData(call);
  body.set("do", action);
  const plain = call.enctype !== "multipart/form-data";
  const answer = await fetch(call.action, {
    method: "POST", body: plain ? new URLSearchParams(body) : body, signal: control.signal,
  });
  return { url: answer.url, redirected: answer.redirected, html: await answer.text(), control };
}

async function run(action) {
  running = true;
  const began = performance.now();
  const elapsed = fillPane("running").querySelector(".elapsed");
  const clock = setInterval(() => { elapsed.textContent = ((performance.now() - began) / 1000).toFixed(1); }, 100);
  enableRun(false);
  lookAt(document.getElementById("answer"));
  try {
    const came = await send(action);
    if (new URL(came.url).pathname !== new URL(call.action).pathname) return void location.assign(came.url);
    const file = call.elements.file;
    const page = take(came.html, ["state", "examples", "answer", "code"]);
    refreshForm(page, file);
    history.replaceState(null, "", came.redirected ? came.url : findAddress());
    lookAt(call.querySelector("[aria-invalid], [data-wrong]") || document.getElementById("answer"));
  } catch (fault) {
    fillPane("stopped").querySelector("[role=status]").textContent = explainStop(fault);
  } finally {
    clearInterval(clock);
    enableRun(true);
    waiting = null;
    running = false;
  }
}

// Errors are shown at their fields, so the form is replaced too. A chosen file stays chosen.
function refreshForm(page, file) {
  const fresh = page.getElementById("call");
  if (!fresh) return;
  call.replaceChildren(...fresh.childNodes);
  if (file && call.elements.file) call.elements.file.files = file.files;
  showComforts();
}

function lookAt(element) {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: element.id === "answer" ? "start" : "center", behavior: "auto" });
}

// The address of the request, from the part of the page that was replaced last
function findAddress() {
  const share = document.getElementById("share");
  return share ? share.getAttribute("href") : location.href;
}

let later = 0;
async function preview() {
  if (running || call.elements.file) return;
  try {
    const came = await send("check");
    if (waiting !== came.control) return;
    waiting = null;
    take(came.html, ["state", "examples", "code"]);
    history.replaceState(null, "", findAddress());
  } catch { /* keep the price that is shown, or a run has begun */ }
}

function watchForm() {
  call.addEventListener("submit", (event) => {
    const action = event.submitter ? event.submitter.value : "run";
    event.preventDefault();
    clearTimeout(later);
    if (running) return;
    if (waiting) waiting.abort();
    run(action);
  });
  call.addEventListener("input", (event) => {
    if (event.target.type === "file") return;
    clearTimeout(later);
    later = setTimeout(preview, 500);
  });
  document.addEventListener("click", (event) => {
    if (event.target.matches("[data-cancel]") && waiting) waiting.abort();
  });
  call.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const button = call.querySelector(".run-actions button[value=run]");
    if (button && !button.disabled) call.requestSubmit(button);
  });
  if (call.querySelector("[data-drop]")) watchDrop();
  showComforts();
}

// Show what works with script only: hints, names beside codes, and date pickers
function showComforts() {
  nameCodes();
  for (const days of call.querySelectorAll("[data-days]")) watchDays(days);
  for (const hint of call.querySelectorAll(".keys, .drop-words")) {
    hint.hidden = hint.matches(".keys") && !call.querySelector(".run-actions button[value=run]");
  }
}

function nameCodes() {
  for (const list of call.querySelectorAll("[data-codes]")) {
    const names = new Intl.DisplayNames(["en"], { type: list.dataset.codes === "country" ? "region" : "language" });
    for (const option of list.options) option.label = `${names.of(option.value)} (${option.value})`;
  }
}

// Two days set the text of their field: 2024-01-01 2024-06-30
function watchDays(days) {
  const field = call.elements[days.dataset.days];
  const pickers = [...days.querySelectorAll("input")];
  const given = /^(\d{4}-\d\d-\d\d) (\d{4}-\d\d-\d\d)$/.exec(field.value);
  if (given) pickers.forEach((picker, at) => { picker.value = given[at + 1]; });
  days.hidden = false;
  for (const picker of pickers) {
    picker.addEventListener("change", () => {
      if (pickers.every((each) => each.value)) field.value = pickers.map((each) => each.value).join(" ");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
}

// A file may be dropped anywhere on the page: beside the form, the browser would leave the page and open it
function watchDrop() {
  const holdsFile = (event) => event.dataTransfer && (event.dataTransfer.types.includes("Files") || event.dataTransfer.files.length);
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      if (!holdsFile(event)) return;
      event.preventDefault();
      const place = call.querySelector("[data-drop]");
      place.classList.toggle("over", kind === "dragover");
      if (kind !== "drop" || !event.dataTransfer.files.length || running) return;
      call.elements.file.files = event.dataTransfer.files;
      call.elements.file.focus();
    });
  }
}

function watchFind() {
  const find = document.getElementById("find");
  const rows = [...document.querySelectorAll("[data-words]")].map((row) => [row, `${row.dataset.words} ${row.textContent}`.toLowerCase()]);
  find.closest(".find").hidden = false;
  find.addEventListener("input", () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const [row, text] of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      found += row.hidden ? 0 : 1;
    }
    for (const group of document.querySelectorAll("[data-group]")) group.hidden = !group.querySelector("[data-words]:not([hidden])");
    document.getElementById("none-found").hidden = found > 0;
    document.getElementById("find-count").textContent = words.length ? `${found} of ${rows.length} endpoints` : "";
  });
  find.addEventListener("keydown", (event) => {
    const first = document.querySelector("[data-words]:not([hidden]) a");
    if (event.key === "Enter" && find.value.trim() && first) first.click();
  });
}

if (call) watchForm();
if (document.getElementById("find")) watchFind();
