// The server has sent the head of the page and the state; hydration takes both, then shows the text.
import { useEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { Story } from "./Story.jsx";

const state = JSON.parse(document.getElementById("__PAGE_STATE__").textContent);

function App() {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return (
    <>
      <header>
        <p>The harbour office</p>
      </header>
      <main aria-busy={!isHydrated}>{isHydrated && <Story story={state} />}</main>
    </>
  );
}

hydrateRoot(document.getElementById("root"), <App />);
