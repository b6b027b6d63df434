"""Pages that need a browser and have hostile scripts."""

from collections.abc import Iterator
from functools import partial

from attacks.attack import Attack, Page

_START = '<!doctype html><html><head><title>A page</title></head><body><div id="root"></div><script>'
_ENDLESS = {
    "loop": ("A script never ends.", "for(;;){}"),
    "promises": ("A script waits for promise after promise.", "(function f(){Promise.resolve().then(f)})()"),
    "nodes": (
        "A script builds a million elements.",
        "for(let i=0;i<1e6;i++){const p=document.createElement('p');p.textContent='Some words '+i;root.append(p)}",
    ),
    "nodes, ever more": (
        "A script adds a thousand elements whenever it may.",
        "setInterval(()=>{for(let i=0;i<1000;i++){const p=document.createElement('p');p.textContent='words '+i;"
        "root.append(p)}},1)",
    ),
    "written without end": (
        "A script writes into the page endlessly.",
        "setInterval(()=>document.write('<p>'+'words '.repeat(10000)),1)",
    ),
    "deep": (
        "A script builds elements 50,000 deep.",
        "let e=root;for(let i=0;i<50000;i++){const d=document.createElement('div');e.append(d);e=d}e.textContent='x'",
    ),
    "one long text": (
        "A script makes a text of 200 MB.",
        "root.textContent='words '.repeat(35000000)",
    ),
    "attributes": (
        "A script gives an element 100,000 attributes.",
        "for(let i=0;i<100000;i++)root.setAttribute('a'+i,'b');root.textContent='words '.repeat(1000)",
    ),
    "memory": (
        "A script takes memory endlessly.",
        "const a=[];setInterval(()=>a.push(new Uint8Array(5e7).fill(1)),1)",
    ),
    "workers": (
        "A script starts a hundred workers that never end.",
        "for(let i=0;i<100;i++)new Worker(URL.createObjectURL(new Blob(['for(;;){}'])))",
    ),
    "never quiet": (
        "A script asks for something fifty times a second.",
        "setInterval(()=>fetch('/more?'+Math.random()),20)",
    ),
    "never the same": (
        "A script changes the page's text and address endlessly.",
        "setInterval(()=>{root.textContent='words '.repeat(500)+Math.random();"
        "history.pushState(0,'','?'+Math.random())},1)",
    ),
    "leaves": ("A page redirects to itself endlessly.", "setTimeout(()=>location.href='/?'+Math.random(),5)"),
    "questions": ("A script asks its reader endlessly.", "for(;;)alert('words')"),
}


def attacks() -> Iterator[Attack]:
    for what, (tries, script) in _ENDLESS.items():
        yield Attack(f"rendered: {what}", tries, Page(partial(_shell, script)), aim="late", renders=True)


def _shell(script: str) -> bytes:
    return f"{_START}{script}</script></body></html>".encode()
