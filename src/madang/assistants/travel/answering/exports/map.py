"""A map of the trip as SVG, drawn from coordinates alone: one colour a day, numbers in visiting order."""

import math
from html import escape

from madang.assistants.travel.answering.exports.document import TripDocument
from madang.assistants.travel.state.results import ItineraryDay

_COLOURS = ("#1f6feb", "#d1495b", "#2a9d8f", "#e09f3e", "#7b2cbf", "#457b9d", "#bc6c25", "#3a5a40")
_WIDTH, _HEIGHT, _MARGIN, _LEGEND = 800, 560, 48, 22


def to_svg(trip: TripDocument) -> str:
    """Each day's stops joined in order, with a legend and a scale bar; titles carry name and time."""
    days = [day for day in trip.days if day["places"]]
    points = [(visit["latitude"], visit["longitude"]) for day in days for visit in day["places"]]
    height = _HEIGHT + _LEGEND * len(days)
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(trip.title)} 지도" font-family="sans-serif" font-size="12">',
        f"<title>{escape(trip.title)}</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#fbfaf7"/>',
    ]
    if points:
        frame = _Frame(points)
        for at, day in enumerate(days):
            body += _draw_day(day, frame, _COLOURS[at % len(_COLOURS)], at)
        body += frame.scale_bar()
    body.append("</svg>")
    return "\n".join(body) + "\n"


class _Frame:
    """Degrees to pixels, the same scale both ways at this latitude."""

    def __init__(self, points: list[tuple[float, float]]) -> None:
        lats, lons = [p[0] for p in points], [p[1] for p in points]
        self.lat, self.lon = (min(lats) + max(lats)) / 2, (min(lons) + max(lons)) / 2
        self.squeeze = max(0.05, math.cos(math.radians(self.lat)))
        tall = max(max(lats) - min(lats), 0.004)
        wide = max((max(lons) - min(lons)) * self.squeeze, 0.004)
        self.scale = min((_WIDTH - 2 * _MARGIN) / wide, (_HEIGHT - 2 * _MARGIN) / tall)

    def at(self, lat: float, lon: float) -> tuple[float, float]:
        x = _WIDTH / 2 + (lon - self.lon) * self.squeeze * self.scale
        y = _HEIGHT / 2 - (lat - self.lat) * self.scale
        return round(x, 1), round(y, 1)

    def scale_bar(self) -> list[str]:
        """A bar of a round number of kilometres, at most a fifth of the width."""
        pixels_per_km = self.scale / 111.2
        longest = _WIDTH / 5 / pixels_per_km
        power = 10 ** math.floor(math.log10(longest))
        km = next(step * power for step in (5, 2, 1) if step * power <= longest)
        end = _MARGIN + km * pixels_per_km
        y = _HEIGHT - 14
        return [
            f'<line x1="{_MARGIN}" y1="{y}" x2="{end:.1f}" y2="{y}" stroke="#555" stroke-width="2"/>',
            f'<text x="{_MARGIN}" y="{y - 5}" fill="#555">{km:g} km</text>',
        ]


def _draw_day(day: ItineraryDay, frame: _Frame, colour: str, at: int) -> list[str]:
    spots = [frame.at(visit["latitude"], visit["longitude"]) for visit in day["places"]]
    path = " ".join(f"{x},{y}" for x, y in spots)
    drawn = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-opacity="0.7"/>']
    for number, ((x, y), visit) in enumerate(zip(spots, day["places"], strict=True), 1):
        drawn += [
            f"<g><title>{escape(visit['name'])} {visit['start']}–{visit['end']}</title>",
            f'<circle cx="{x}" cy="{y}" r="9" fill="{colour}"/>',
            f'<text x="{x}" y="{y + 4}" text-anchor="middle" fill="#fff">{number}</text></g>',
        ]
    y = _HEIGHT + _LEGEND * at + 6
    names = " → ".join(visit["name"] for visit in day["places"])
    drawn += [
        f'<circle cx="{_MARGIN - 16}" cy="{y}" r="6" fill="{colour}"/>',
        f'<text x="{_MARGIN}" y="{y + 4}" fill="#222">{day["day"]}일차 {escape(names)}</text>',
    ]
    return drawn
