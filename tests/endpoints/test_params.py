"""A query is parsed into checked parameters, or rejected with a message that names the parameter and the rule."""

from contextlib import suppress
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError, model_validator

from webquarry.core.errors import InvalidParams
from webquarry.core.locale import CodesOf, Country, Language
from webquarry.core.parsed_text import ParsedText, Url
from webquarry.core.types import Domain
from webquarry.endpoints.declare import Params, exactly_one, param
from webquarry.endpoints.params import ParamSpec, parse, single, specs, split_format


class Everything(Params):
    q: str = param("What to look for.", default="", max_length=8)
    page: int = param("Which page.", default=1, min_value=1, max_value=10)
    cat: int | None = param("Category.", default=None, min_value=0)
    deep: bool = param("Whether to go deep.", default=False)
    kind: Literal["image", "text"] | None = param("Which kind.", default=None)
    geo: str = param("Where.", default="US", empty="worldwide")
    id: str | None = param("Id.", default=None, pattern="^[a-p]{4}$", rule="must be 4 letters from a to p")
    url: Url | None = param("Address.", default=None)
    domain: Domain | None = param("Domain.", default=None)


class OneOf(Params):
    one_of = exactly_one("page_id", "slug", "url")
    page_id: str | None = param("By id.", default=None)
    slug: str | None = param("By name.", default=None)
    url: Url | None = param("By address.", default=None)


class Span(Params):
    start: int = param("First.")
    end: int = param("Last.")

    @model_validator(mode="after")
    def _in_order(self) -> "Span":
        if self.end < self.start:
            raise ValueError("'end' must not be below 'start'")
        return self


def of(**query: str) -> Everything:
    return parse(Everything, list(query.items()))


def fault(params: type[Params], *query: tuple[str, str]) -> str:
    with pytest.raises(InvalidParams) as caught:
        parse(params, query)
    assert caught.value.message.endswith((".", "?"))
    return caught.value.message


# text


@pytest.mark.parametrize(
    "text",
    [
        " a b ",
        "\ta b\n",
        "\u00a0a b\u3000",
        "a b\r\n",
        "a b\u200b",
        "\u200e a b\u200f ",
        "\ufeffa b",
        "\u2068a b\u2069",
    ],
)
def test_text_is_trimmed(text: str) -> None:
    assert of(q=text).q == "a b"


@pytest.mark.parametrize(
    "text", ["", " ", "\t\r\n", "\u00a0\u2003\u3000", "\u2028", "\x1c\x1f", "\x85", "\u200b", " \u202e\u2060"]
)
def test_text_of_only_white_space_is_empty(text: str) -> None:
    assert fault(Everything, ("q", text)) == "Parameter 'q' is empty; omit it or set a value."


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_value_is_accepted_if_it_has_a_meaning(text: str) -> None:
    assert of(geo=text).geo == ""


@pytest.mark.parametrize("text", ["12345678", "🦊🦊🦊🦊🦊🦊🦊🦊", "éééééééé", "  12345678  "])
def test_length_is_counted_in_code_points_after_trimming(text: str) -> None:
    assert len(of(q=text).q) == 8
    assert fault(Everything, ("q", f"{text.strip()}x")) == "Parameter 'q' must be at most 8 characters."


@pytest.mark.parametrize("sign", ["\x00", "\n", "\x1b", "\x7f", "\x80", "\x9f", "\u2028", "\u2029", "\ufeff"])
@pytest.mark.parametrize("name", ["q", "geo", "page", "url", "domain"])
def test_control_characters_are_refused_in_every_parameter(name: str, sign: str) -> None:
    assert fault(Everything, (name, f"a{sign}b")) == f"Parameter '{name}' must not contain control characters."


@pytest.mark.parametrize("sign", ["\u202e", "\u200b", "\u2066", "\u00ad"])
def test_invisible_characters_are_text(sign: str) -> None:
    assert of(q=f"a{sign}b").q == f"a{sign}b"


# numbers, booleans, choices, patterns


@pytest.mark.parametrize(("text", "value"), [("1", 1), ("10", 10), (" 3 ", 3), ("007", 7)])
def test_a_whole_number_is_parsed(text: str, value: int) -> None:
    assert of(page=text).page == value


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "11",
        "-1",
        "-0",
        "1.0",
        "1e1",
        "+1",
        "1_0",
        "0x1",
        "１",
        "١",
        "²",
        "1 0",
        "one",
        "--1",
        "1,0",
        "9" * 18,
        "9" * 19,
        "9" * 5000,
    ],
)
def test_an_invalid_number_is_refused_with_the_range(text: str) -> None:
    assert fault(Everything, ("page", text)) == "Parameter 'page' must be a whole number from 1 to 10."


def test_a_range_with_one_bound_is_stated() -> None:
    assert fault(Everything, ("cat", "-1")) == "Parameter 'cat' must be a whole number, 0 or more."


@pytest.mark.parametrize(("text", "value"), [("true", True), ("false", False), ("TRUE", True), ("False", False)])
def test_a_boolean_is_parsed(text: str, value: bool) -> None:
    assert of(deep=text).deep is value


@pytest.mark.parametrize("text", ["1", "0", "yes", "no", "t", "on", "ｔｒｕｅ", "truе"])
def test_an_invalid_boolean_is_refused(text: str) -> None:
    assert fault(Everything, ("deep", text)) == "Parameter 'deep' must be true or false."


class Flagged(Params):
    flag: Literal["true", "false"] = param("Whether.", default="true")


def test_a_choice_of_true_and_false_is_parsed_like_a_boolean() -> None:
    assert [parse(Flagged, [("flag", text)]).flag for text in ("TRUE", "False")] == ["true", "false"]
    assert fault(Flagged, ("flag", "1")) == "Parameter 'flag' must be true or false."


def test_a_choice_is_parsed() -> None:
    assert of(kind=" text ").kind == "text"


@pytest.mark.parametrize("text", ["video", "Text", "image,text"])
def test_an_invalid_choice_is_refused_with_the_choices(text: str) -> None:
    assert fault(Everything, ("kind", text)) == "Parameter 'kind' must be one of image, text."


@pytest.mark.parametrize("text", ["abc", "abcde", "abcz", "ABCD", "abcd\nx", "ａｂｃｄ"])
def test_a_value_that_does_not_match_is_refused_with_the_rule_in_words(text: str) -> None:
    message = fault(Everything, ("id", text))
    assert message in (
        "Parameter 'id' must be 4 letters from a to p.",
        "Parameter 'id' must not contain control characters.",
    )


# addresses and domains


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://EXAMPLE.com:443/a?b=c#d", "https://example.com/a?b=c"),
        ("http://bücher.example/ü?ö", "http://xn--bcher-kva.example/%C3%BC?%C3%B6"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://example.com./", "http://example.com/"),
    ],
)
def test_an_address_is_normalized(text: str, address: str) -> None:
    assert of(url=text).url == address


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("example.com", "must start with http:// or https://, for example https://example.com"),
        ("example.com:8080/a", "must start with http:// or https://, for example https://example.com:8080/a"),
        ("//example.com/", "must start with http:// or https://, for example https://example.com/"),
        ("not a url", "must start with http:// or https://"),
        ("nonsense", "must start with http:// or https://"),
        ("example.com:80//a", "must start with http:// or https://, for example https://example.com:80//a"),
        ("-a.example", "must start with http:// or https://"),
        ("1.5", "must start with http:// or https://"),
        ("192.0.2.7/a", "must start with http:// or https://, for example https://192.0.2.7/a"),
        ("[2001:db8::7]/a", "must start with http:// or https://, for example https://[2001:db8::7]/a"),
        ("ftp://example.com/", "must be an http or https URL, not ftp:"),
        ("https://a b.example/", "must not contain spaces, backslashes or control characters; percent-encode them"),
        ("https:\\\\example.com", "must not contain spaces, backslashes or control characters; percent-encode them"),
        ("https://", "must have a host"),
        ("https://-a.example/", "must have a valid host"),
        ("https://me@example.com/", "must not contain credentials, because only public pages are fetched"),
        ("https://example.com:0/", "must not use port 0"),
        ("https://example.com:65536/", "is not a valid URL"),
        ("https://[::1/", "is not a valid URL"),
        (f"https://example.com/{'a' * 4077}", "must have at most 4096 characters"),
    ],
)
def test_an_invalid_address_is_refused_with_the_rule(text: str, rule: str) -> None:
    assert fault(Everything, ("url", text)) == f"Parameter 'url' {rule}."


@pytest.mark.parametrize(
    ("text", "host", "registrable"),
    [
        ("example.com", "example.com", "example.com"),
        ("WWW.Example.co.uk", "www.example.co.uk", "example.co.uk"),
        ("https://shop.example.com/path?q=1", "shop.example.com", "example.com"),
        ("//example.com/", "example.com", "example.com"),
        ("example.com:8080", "example.com", "example.com"),
        ("example.com.", "example.com", "example.com"),
        ("bücher.de", "xn--bcher-kva.de", "xn--bcher-kva.de"),
    ],
)
def test_a_domain_is_read_from_a_name_or_an_address(text: str, host: str, registrable: str) -> None:
    domain = of(domain=text).domain
    assert domain is not None
    assert (domain.host, domain.registrable) == (host, registrable)


@pytest.mark.parametrize(
    "text",
    [
        "localhost",
        "not a domain",
        "https://not a domain",
        "10.0.0.1",
        "0x7f.1",
        "[::1]",
        "com",
        "co.uk",
        "-a.com",
        "a_b.com",
        "a..com",
        ".com",
        "..",
        "user@example.com",
        "mailto:user@example.com",
        "ftp://example.com",
        "https://",
        "example.com:99999",
        f"{'a' * 64}.com",
        f"{'a.' * 130}com",
        "exam\\ple.com",
        "%65xample.com",
        "*.example.com",
    ],
)
def test_an_invalid_domain_is_refused_with_the_rule(text: str) -> None:
    assert fault(Everything, ("domain", text)).startswith("Parameter 'domain' ")


# the query as a whole


def test_defaults_replace_missing_parameters() -> None:
    left_out = parse(Everything, [])
    assert (left_out.page, left_out.deep, left_out.kind, left_out.geo) == (1, False, None, "US")


def test_a_missing_required_parameter_is_reported_with_its_description() -> None:
    assert fault(Span, ("start", "1")) == "Parameter 'end' is required: Last."


def test_the_error_for_an_empty_required_parameter_does_not_advise_to_omit_it() -> None:
    assert fault(Span, ("start", "1"), ("end", " ")) == "Parameter 'end' is empty; it needs a value."


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("pgae", "did you mean 'page'?"),
        ("PAGE", "did you mean 'page'?"),
        ("frmat", "did you mean 'format'?"),
        ("xyzzy", "valid parameters are 'start', 'end' and 'format'."),
        ("from", "valid parameters are 'start', 'end' and 'format'."),
    ],
)
def test_an_unknown_parameter_is_refused_with_a_suggestion(name: str, hint: str) -> None:
    params = Span if hint.startswith("valid") else Everything
    assert fault(params, (name, "1")) == f"Unknown parameter '{name}'; {hint}"


def test_the_error_names_only_format_if_there_is_no_other_parameter() -> None:
    with pytest.raises(InvalidParams, match=r"Unknown parameter 'url'; the only valid parameter is 'format'\."):
        single([("url", "1")], {})


def test_an_unknown_name_is_shown_short_and_without_control_characters() -> None:
    assert f"'{'x' * 64}'" in fault(Everything, ("x" * 9000, "1"))
    assert "'�'" in fault(Everything, ("\n", "1"))


@pytest.mark.parametrize("second", ["1", "2", ""])
def test_a_repeated_parameter_is_refused(second: str) -> None:
    message = fault(Everything, ("page", "1"), ("page", second))
    assert message == "Parameter 'page' was sent more than once; send it once."


def test_one_parameter_of_a_group_is_accepted() -> None:
    assert parse(OneOf, [("slug", "a")]).slug == "a"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ([], "none was set"),
        ([("slug", "a"), ("page_id", "1")], "'page_id' and 'slug' were set"),
        ([("slug", "a"), ("page_id", "1"), ("url", "x")], "'page_id', 'slug' and 'url' were set"),
    ],
)
def test_none_or_two_parameters_of_a_group_are_refused(query: list[tuple[str, str]], found: str) -> None:
    message = fault(OneOf, *query)
    assert message == f"Exactly one of 'page_id', 'slug' and 'url' is required; {found}."


def test_an_empty_parameter_of_a_group_is_refused_as_empty() -> None:
    assert "is empty" in fault(OneOf, ("slug", ""), ("page_id", "1"))


def test_a_rule_about_several_parameters_is_reported_as_declared() -> None:
    assert fault(Span, ("start", "2"), ("end", "1")) == "'end' must not be below 'start'."


@pytest.mark.parametrize(
    ("query", "form"), [([], "both"), ([("format", "json")], "json"), ([("format", " both ")], "both")]
)
def test_format_is_separated_from_the_query(query: list[tuple[str, str]], form: str) -> None:
    assert split_format([("q", "a"), *query]) == ([("q", "a")], form)


@pytest.mark.parametrize("texts", [["yaml"], [""], ["JSON"], ["json", "json"]])
def test_an_unknown_format_is_refused(texts: list[str]) -> None:
    with pytest.raises(InvalidParams, match="'format'"):
        split_format([("format", text) for text in texts])


@given(st.lists(st.tuples(st.sampled_from([*Everything.model_fields, "format", ""]), st.text(max_size=30)), max_size=4))
def test_any_query_is_accepted_or_refused(query: list[tuple[str, str]]) -> None:
    with suppress(InvalidParams):
        rest, _ = split_format(query)
        parse(Everything, rest)


@pytest.mark.parametrize("name", ["url", "domain", "page", "kind", "q\u202e"])
def test_messages_contain_only_printable_characters(name: str) -> None:
    assert fault(Everything, (name, "\u202eexample\u200b")).isprintable()


@given(st.text(min_size=1))
def test_normalizing_an_accepted_address_again_changes_nothing(text: str) -> None:
    try:
        address = of(url=text).url
    except InvalidParams:
        return
    assert of(url=str(address)).url == address


def test_a_query_has_only_text_values() -> None:
    """A caller can send only text, never the nested or other values that a declaration may produce."""
    with pytest.raises(ValidationError):
        Everything.model_validate({"unknown": 1})


# the parameters in all interfaces


def test_a_parameter_is_shown_as_declared() -> None:
    shown = {spec.name: spec for spec in specs(Everything)}
    assert shown["page"] == ParamSpec("page", "integer", "Which page.", required=False, default=1, min=1, max=10)
    assert shown["cat"] == ParamSpec("cat", "integer", "Category.", required=False, min=0)
    assert shown["deep"] == ParamSpec("deep", "boolean", "Whether to go deep.", required=False, default=False)
    assert shown["kind"] == ParamSpec("kind", "string", "Which kind.", required=False, enum=("image", "text"))
    assert shown["geo"] == ParamSpec("geo", "string", "Where.", required=False, default="US", empty="worldwide")
    assert (shown["url"].format, shown["domain"].format) == ("uri", "domain")
    assert (shown["id"].pattern, shown["id"].rule) == ("^[a-p]{4}$", "must be 4 letters from a to p")


def test_codes_and_lists_of_names_are_declared_by_the_type() -> None:
    class Names(ParsedText, max_length=20):
        several = ("red", "green")

    class Declared(Params):
        gl: Country = param("Country.")
        hl: Language | None = param("Language.", default=None)
        geo: Annotated[str, CodesOf("country")] = param("Place.", default="")
        colours: Names = param("Colours.")
        q: str = param("Query.")

    found = {spec.name: (spec.codes, spec.several) for spec in specs(Declared)}
    assert found == {
        "gl": ("country", ()),
        "hl": ("language", ()),
        "geo": ("country", ()),
        "colours": (None, ("red", "green")),
        "q": (None, ()),
    }
