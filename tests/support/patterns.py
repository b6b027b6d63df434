"""Every regular expression of the package: expressions in module values, and expressions compiled in functions."""

import ast
import inspect
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import webquarry
import webquarry_convert

_PLAIN = (str, bytes, int, float, type(None))
METHODS = frozenset({"search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"})


@dataclass(frozen=True)
class Used:
    """An expression, its location, and the methods that it is used with (all if that is unknown).

    name: `module:NAME`, or `module:line` for one compiled in a function.
    """

    name: str
    pattern: re.Pattern[str] | re.Pattern[bytes]
    methods: frozenset[str]

    def __str__(self) -> str:
        return self.name


@cache
def all_patterns() -> tuple[Used, ...]:
    """Return the expressions sorted by name, each once per module that has it."""
    found: dict[str, Used] = {}
    for module in _modules():
        text = Path(inspect.getfile(module)).read_text()
        held_by = {
            name: inside
            for name, held in vars(module).items()
            if not isinstance(held, ModuleType) and not _is_of_another(held, module)
            if (inside := list(_held(held, set())))
        }
        if not held_by and "re." not in text:
            continue
        source = ast.parse(text)
        uses = _uses(source)
        for name, inside in held_by.items():
            held = vars(module)[name]
            for number, pattern in enumerate(inside):
                key = f"{_short(module)}:{name}" + (f"[{number}]" if len(inside) > 1 else "")
                found[key] = Used(key, pattern, uses.get(name, METHODS) if inside[0] is held else METHODS)
        for line, pattern, method in _made_in_functions(source):
            key = f"{_short(module)}:{line}"
            found[key] = Used(key, pattern, frozenset({method}) if method in METHODS else METHODS)
    return tuple(found[key] for key in sorted(found))


def _short(module: ModuleType) -> str:
    return module.__name__.removeprefix("webquarry.")


def _modules() -> Iterator[ModuleType]:
    for about in (
        *pkgutil.walk_packages(webquarry.__path__, "webquarry."),
        *pkgutil.walk_packages(webquarry_convert.__path__, "webquarry_convert."),
    ):
        if not about.name.endswith("__main__"):
            yield import_module(about.name)


def _is_of_another(value: object, module: ModuleType) -> bool:
    """Return whether a class or function was only imported."""
    return (isinstance(value, type) or callable(value)) and getattr(value, "__module__", "") != module.__name__


def _held(value: object, seen: set[int]) -> Iterator[re.Pattern[str] | re.Pattern[bytes]]:
    """Yield the expressions in a module's value: itself, in containers, in class attributes, in bound arguments."""
    if isinstance(value, _PLAIN) or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        for item in (*value.keys(), *value.values()):
            if not isinstance(item, _PLAIN):  # large tables consist of these
                yield from _held(item, seen)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            if not isinstance(item, _PLAIN):
                yield from _held(item, seen)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _held(getattr(value, field.name), seen)
    elif isinstance(value, type):
        for name, item in vars(value).items():
            if not name.startswith("__"):
                yield from _held(item, seen)
    elif callable(value):
        for item in (
            *(getattr(value, "args", None) or ()),
            *(getattr(value, "__defaults__", None) or ()),
            *(getattr(value, "__self__", None),),
        ):
            if isinstance(item, (re.Pattern, tuple, dict)):
                yield from _held(item, seen)


def _uses(source: ast.Module) -> dict[str, frozenset[str]]:
    """Return the methods called on each name. Public names, and names used for anything but calls, are left out."""
    called: dict[str, set[str]] = {}
    loads: dict[str, int] = {}
    calls: dict[str, int] = {}
    for node in ast.walk(source):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            loads[node.id] = loads.get(node.id, 0) + 1
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            receiver = node.func.value
            if isinstance(receiver, ast.Name):
                called.setdefault(receiver.id, set()).add(node.func.attr)
                calls[receiver.id] = calls.get(receiver.id, 0) + 1
    return {
        name: frozenset(methods)
        for name, methods in called.items()
        if name.startswith("_") and loads[name] == calls[name]
    }


def _made_in_functions(source: ast.Module) -> Iterator[tuple[int, re.Pattern[str] | re.Pattern[bytes], str]]:
    """Yield line, expression and function of `re` for each call within a function.

    Interpolated values are replaced by `x`.
    """
    for function in _outer_functions(source):
        for node in ast.walk(function):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.func.attr in METHODS | {"compile"}
                and node.args
                and (text := _text_of(node.args[0])) is not None
            ):
                flags = [
                    name.attr for name in ast.walk(node) if isinstance(name, ast.Attribute) and name.attr.isupper()
                ]
                combined = re.NOFLAG
                for flag in flags:
                    combined |= getattr(re, flag, re.NOFLAG)
                yield node.lineno, re.compile(text, combined), node.func.attr


def _outer_functions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the outermost functions below a node."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield child
        else:
            yield from _outer_functions(child)


def _text_of(node: ast.expr) -> str | bytes | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text_of(node.left), _text_of(node.right)
        return left + right if isinstance(left, str) and isinstance(right, str) else None
    return None
