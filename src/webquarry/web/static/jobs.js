"use strict";
// Shows the progress of a job while it runs. Without this script, a page shows it as of its last load.

const PARTS = ["job-notice", "job-actions", "job-items"];
const ITEMS_MS = 3000; // shortest time between two requests for the items
let later = 0;
let refreshed = 0;
let isStale = false; // the page was hidden when something changed

function watch(progress) {
  const source = new EventSource(progress.dataset.events);
  const readState = () => progress.querySelector("[data-state]").dataset.state;
  const show = (event) => {
    const before = readState();
    progress.innerHTML = event.data; // a part of this page, as the server writes it
    return readState() !== before;
  };
  source.addEventListener("job", (event) => {
    if (show(event)) refresh();
    else refreshSoon();
  });
  source.addEventListener("end", (event) => {
    source.close();
    show(event);
    document.getElementById("job-said").textContent = "The job has ended.";
    refresh();
  });
}

function refreshSoon() {
  clearTimeout(later);
  later = setTimeout(refresh, Math.max(0, refreshed + ITEMS_MS - performance.now()));
}

// Replaces what follows from the progress, unless somebody uses it
async function refresh() {
  clearTimeout(later);
  refreshed = performance.now();
  if (!document.getElementById("job-items")) return;
  isStale = document.hidden;
  if (isStale) return;
  const html = await load();
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const id of PARTS) {
    const old = document.getElementById(id);
    const fresh = page.getElementById(id);
    if (old && fresh && !old.contains(document.activeElement) && !old.querySelector("dialog[open]")) old.replaceWith(fresh);
  }
}

// The page as it is now, or nothing if the connection was lost or the session has ended
async function load() {
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    return answer.ok && !answer.redirected ? await answer.text() : "";
  } catch {
    return "";
  }
}

document.addEventListener("visibilitychange", () => { if (isStale && !document.hidden) refresh(); });
for (const progress of document.querySelectorAll("[data-events]")) watch(progress);
