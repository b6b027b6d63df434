"use strict";
// The playground's comforts: it works without them, by plain forms.
// What the server answers is always a whole page; here its parts are put into this one.

const call = document.getElementById("call");
let waiting = null; // what is asked of the server: only the last counts
let running = false;

function take(html, parts) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const id of parts) {
    const fresh = page.getElementById(id);
    if (fresh) document.getElementById(id).replaceWith(fresh);
  }
  for (const id of parts) addCopyButtons(document.getElementById(id));
  const picked = recall();
  if (picked) pickEverywhere(picked);
  return page;
}

function show(waits, text) {
  const place = call.querySelector(".wait");
  place.hidden = !waits && !text;
  place.querySelector("progress").hidden = !waits;
  place.querySelector("[data-cancel]").hidden = !waits;
  place.querySelector(".progress-text").textContent = text;
  for (const button of call.querySelectorAll(".run-actions button")) button.disabled = waits;
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
  const most = call.dataset.deadline;
  const tick = () => show(true, `${Math.round((performance.now() - began) / 1000)} s, at most ${most} s`);
  tick();
  const clock = setInterval(tick, 1000);
  try {
    const came = await send(action);
    if (new URL(came.url).pathname !== new URL(call.action).pathname) return void location.assign(came.url);
    const file = call.elements.file;
    const page = take(came.html, ["state", "examples", "answer", "code"]);
    refreshForm(page, file);
    history.replaceState(null, "", came.redirected ? came.url : findAddress());
    show(false, "");
    lookAt(call.querySelector("[aria-invalid]") || document.getElementById("answer"));
  } catch (fault) {
    show(false, fault.name === "AbortError"
      ? "You stopped waiting, but the request continues. Its response will appear in your history and is charged as usual. Errors are refunded."
      : "The connection was lost. If the request had started, its response will appear in your history.");
  } finally {
    clearInterval(clock);
    waiting = null;
    running = false;
  }
}

// errors stand at their fields, so the form is taken too; a chosen file stays chosen
function refreshForm(page, file) {
  const fresh = page.getElementById("call");
  if (!fresh) return;
  call.replaceChildren(...fresh.childNodes);
  if (file && call.elements.file) call.elements.file.files = file.files;
}

function lookAt(element) {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: element.id === "answer" ? "start" : "center", behavior: "auto" });
}

// of the question, which stands in what was taken from the last page
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
  } catch { /* the price stays as it was told, or a run has begun */ }
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
  call.addEventListener("click", (event) => {
    if (event.target.matches("[data-cancel]") && waiting) waiting.abort();
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    call.addEventListener(kind, (event) => {
      const place = call.querySelector("[data-drop]");
      if (!place) return;
      event.preventDefault();
      place.classList.toggle("over", kind === "dragover");
      if (kind === "drop" && event.dataTransfer.files.length) call.elements.file.files = event.dataTransfer.files;
    });
  }
}

function watchFind() {
  const find = document.getElementById("find");
  find.closest(".find").hidden = false;
  find.addEventListener("input", () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const group of document.querySelectorAll("[data-group]")) {
      let here = 0;
      for (const tile of group.querySelectorAll("[data-words]")) {
        tile.hidden = !words.every((word) => tile.dataset.words.includes(word));
        here += tile.hidden ? 0 : 1;
      }
      group.hidden = here === 0;
      found += here;
    }
    document.getElementById("none-found").hidden = found > 0;
  });
}

if (call) watchForm();
if (document.getElementById("find")) watchFind();
