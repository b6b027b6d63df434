// A router without a framework: the first route leads on to another one, whose view is a chunk of its own.
type View = { show(place: HTMLElement): void };

const routes: Record<string, () => Promise<View>> = {
  home: async () => ({ show: () => go("story") }),
  story: () => import("./story"),
};

async function go(name: string): Promise<void> {
  history.pushState({ name }, "", `?view=${name}`);
  const view = await routes[name]();
  view.show(document.getElementById("app")!);
}

addEventListener("popstate", (event) => void go(event.state?.name ?? "home"));
void go(new URLSearchParams(location.search).get("view") ?? "home");
