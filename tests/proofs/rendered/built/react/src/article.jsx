// State, effects and a reducer; the text is part of the program.
import { StrictMode, useEffect, useReducer, useState } from "react";
import { createRoot } from "react-dom/client";
import stories from "../stories.json";
import { Story } from "./Story.jsx";

function opened(count, action) {
  return action === "open" ? count + 1 : count;
}

function App() {
  const [name, setName] = useState(null);
  const [count, dispatch] = useReducer(opened, 0);
  useEffect(() => {
    setName("react-article");
    dispatch("open");
  }, []);
  useEffect(() => {
    if (name) document.title = stories[name].title;
  }, [name]);
  return (
    <>
      <nav>
        <button onClick={() => dispatch("open")}>Opened {count} times</button>
      </nav>
      <main>{name && <Story story={stories[name]} />}</main>
    </>
  );
}

createRoot(document.getElementById("root")).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
