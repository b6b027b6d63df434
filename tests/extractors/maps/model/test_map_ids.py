import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.extractors.maps.model.map_ids import Cid, Fid, fid_among

NUMBERS = st.integers(1, 2**64 - 1)

PAIRS = [  # as stated in the samples
    ("0x14a1a32f316b15a1:0x169c54b46dcc3a93", "1629270299114224275"),
    ("0x14e732fd76f0d90d:0xe5415928d6702b47", "16519582940102929223"),
    ("0x14e775b739165b35:0x7e80ca7641cd7953", "9115508255056820563"),
]


@pytest.mark.parametrize(("fid", "cid"), PAIRS)
def test_cid_is_the_second_half_of_the_fid(fid: str, cid: str) -> None:
    assert Fid.parse(fid).cid == cid
    assert Cid.parse(cid).alone == f"0x0:0x{fid.rpartition('0x')[2]}"


@given(NUMBERS, NUMBERS)
def test_cid_and_fid_convert_to_each_other(first: int, second: int) -> None:
    fid = Fid.parse(f"0x{first:x}:0x{second:x}")
    assert int(fid.cid) == second
    assert Fid.parse(fid.cid.alone).cid == fid.cid == Cid.parse(str(second))


@given(NUMBERS, NUMBERS)
def test_ids_are_normalized(first: int, second: int) -> None:
    assert Fid.parse(f"0X{first:016X}:0x{second:016x}") == f"{first:#x}:{second:#x}"
    assert Cid.parse(f"{second:020d}") == str(second)


@pytest.mark.parametrize("text", ["", "abc", "-1", "+1", "1.0", "1e3", "0", "00", str(2**64), "1" * 21, "１２", " 1"])
def test_invalid_cid_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="from 1 to 18446744073709551615"):
        Cid.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0x1",
        "1:2",
        "0x1:2",
        "0x1:0x",
        "0x1:0xg",
        "0x1:0x0",
        "0x1:0x2:0x3",
        "0x1:-0x2",
        "0x1: 0x2",
        "0x1:0x" + "1" * 17,
    ],
)
def test_invalid_fid_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="form 0x<hex>:0x<hex>"):
        Fid.parse(text)


@pytest.mark.parametrize("colon", [b":", b"%3A", b"%3a", b"\\u003A", b"\\u003a"])
def test_fid_is_found_in_a_page_by_its_cid(colon: bytes) -> None:
    text = b"0x1:0x2 !1s0x14E7" + colon + b"0xe5415928d6702b47!10m1 0x3:0xe5415928d6702b47"
    assert fid_among(text, Cid.parse("16519582940102929223")) == "0x14e7:0xe5415928d6702b47"


@pytest.mark.parametrize("text", [b"", b"0x1:0xe5415928d6702b470", b"0xe5415928d6702b47:0x1", b"16519582940102929223"])
def test_fid_of_another_place_is_not_returned(text: bytes) -> None:
    assert fid_among(text, Cid.parse("16519582940102929223")) is None
