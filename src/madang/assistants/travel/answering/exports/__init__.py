"""The forms a trip can be taken away in: Markdown, an iCalendar file, a map drawn without tiles."""

from madang.assistants.travel.answering.exports.calendar import to_icalendar
from madang.assistants.travel.answering.exports.document import TripDocument, to_markdown
from madang.assistants.travel.answering.exports.map import to_svg

__all__ = ["TripDocument", "to_icalendar", "to_markdown", "to_svg"]
