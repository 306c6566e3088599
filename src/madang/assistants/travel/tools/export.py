"""A trip as Markdown, as an iCalendar file, and as a map drawn without tiles."""

from madang.assistants.travel.tools.exports.calendar import to_icalendar
from madang.assistants.travel.tools.exports.document import TripDocument, to_markdown
from madang.assistants.travel.tools.exports.map import to_svg

__all__ = ["TripDocument", "to_icalendar", "to_markdown", "to_svg"]
