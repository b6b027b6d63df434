import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.extractors.maps.model.map_view import MapView

LATITUDES, LONGITUDES, ZOOMS = st.floats(-90, 90), st.floats(-180, 180), st.floats(3, 21)


@pytest.mark.parametrize(
    ("text", "view", "spelled"),
    [
        ("@38.0289,23.7,15z", MapView(38.0289, 23.7, 15), "@38.0289,23.7,15z"),
        ("@38.0289,23.7,15", MapView(38.0289, 23.7, 15), "@38.0289,23.7,15z"),
        ("@38.0289,23.7", MapView(38.0289, 23.7, 14), "@38.0289,23.7,14z"),
        ("@-38.02890,-0.0,3.50z", MapView(-38.0289, 0, 3.5), "@-38.0289,0,3.5z"),
        ("@90,-180,21z", MapView(90, -180, 21), "@90,-180,21z"),
        ("@-0,-0.00000001,14z", MapView(0, 0), "@0,0,14z"),
    ],
)
def test_view_is_parsed_and_normalized(text: str, view: MapView, spelled: str) -> None:
    assert MapView.parse(text) == view
    assert str(view) == spelled
    assert MapView.parse(spelled) == view


@given(LATITUDES, LONGITUDES, ZOOMS)
def test_any_view_survives_its_spelling(latitude: float, longitude: float, zoom: float) -> None:
    view = MapView.parse(f"@{latitude:.9f},{longitude:.9f},{zoom:.5f}z")
    assert MapView.parse(str(view)) == view


@pytest.mark.parametrize(
    "text",
    [
        "abc", "", "38,23,14z", "@38", "@38,", "@38,23,", "@38,23,z", "@38,23,14z,", "@ 38,23", "@38,23,14zz", "@38;23",
        "@1e1,0,14z", "@nan,0,14z", "@+38,23,14z", "@38.,23,14z", "@.5,23,14z", "@٣٨,23,14z", "@38,23,14z\n",
        "@91,0,14z", "@90.0000001,0,14z", "@0,181,14z", "@0,-180.5,14z", "@0,0,2z", "@0,0,21.1z", "@0,0,99z",
        "@38,23,14z" + "0" * 100_000,
    ],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^must "):
        MapView.parse(text)


def test_width_halves_with_each_zoom_and_narrows_towards_the_poles() -> None:
    assert MapView(38, 23.7, 14).diameter_m == pytest.approx(7_700, rel=0.01)  # as stated in the notes
    assert MapView(38, 23.7, 15).diameter_m == pytest.approx(MapView(38, 23.7, 14).diameter_m / 2)
    assert MapView(60, 0, 14).diameter_m == pytest.approx(MapView(0, 0, 14).diameter_m / 2)
    assert MapView(90, 0, 21).diameter_m >= 1


@pytest.mark.parametrize(
    ("view", "latitude", "longitude", "metres"),
    [
        (MapView(0, 0), 0, 0, 0),
        (MapView(0, 0), 1, 0, 111_195),
        (MapView(0, 179.5), 0, -179.5, 111_195),
        (MapView(90, 0), -90, 0, math.pi * 6_371_009),
        (MapView(52.52, 13.405), 48.8566, 2.3522, 877_500),
    ],
)
def test_distance_is_along_the_surface(view: MapView, latitude: float, longitude: float, metres: float) -> None:
    assert view.distance_m(latitude, longitude) == pytest.approx(metres, rel=0.001)
