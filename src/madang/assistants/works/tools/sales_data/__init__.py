"""A company's own sales data: read from files or a database by a mapping, reported on, then loaded."""

from madang.assistants.works.tools.sales_data.guess import Guess, guess_mapping, places_of
from madang.assistants.works.tools.sales_data.loader import LoadedSales, Loading, load_sales
from madang.assistants.works.tools.sales_data.mapping import Mapping, Place, Source, mapping_text, read_mapping
from madang.assistants.works.tools.sales_data.report import LoadReport

__all__ = [
    "Guess",
    "LoadReport",
    "LoadedSales",
    "Loading",
    "Mapping",
    "Place",
    "Source",
    "guess_mapping",
    "load_sales",
    "mapping_text",
    "places_of",
    "read_mapping",
]
