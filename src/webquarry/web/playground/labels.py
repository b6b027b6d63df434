"""Labels of parameters and endpoints in words, taken from their descriptions."""

import re
from typing import Final

from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import ParamSpec

MAX_LABEL: Final = 48
_END: Final = re.compile(r"[,:;(`]|\.(?: |$)| (?:as|such as|in the form|from the|from search|that the) ")
_INITIALS: Final = {"id": "ID", "url": "URL"}


def write_label(spec: ParamSpec) -> str:
    """Return a parameter's label: the beginning of its description, such as `Search query`, or its name in words."""
    text = spec.description.removeprefix("Whether to ")
    ending = _END.search(text)
    words = (text[: ending.start()] if ending else text).strip()
    if spec.codes and words.startswith("Two-letter "):
        words = words.removeprefix("Two-letter ").replace(" code", "", 1)
    if spec.several or not 2 < len(words) <= MAX_LABEL:
        words = " ".join(_INITIALS.get(word, word) for word in spec.name.split("_"))
    return words[:1].upper() + words[1:]


def write_hint(spec: ParamSpec) -> str:
    """Return the description without the parts that the label and the options already state."""
    label = write_label(spec)
    first, _, rest = spec.description.partition(". ")
    if spec.several or first.rstrip(".") == label:
        return rest
    if not spec.description.startswith((f"{label}: ", f"{label}; ")):
        return spec.description
    text = spec.description[len(label) + 2 :]
    return text[:1].upper() + text[1:]


def write_line(extractor: Extractor) -> str:
    """Return one line about what an endpoint returns: the first sentence of its description without the verb."""
    text = extractor.description.partition(". ")[0].rstrip(".").removeprefix("Returns ")
    return text[:1].upper() + text[1:]
