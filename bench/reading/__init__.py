"""The learnt readers: labelled messages, training, and how well what was learnt holds for other writers."""

from bench.reading.evaluate import reading
from bench.reading.travel_topics import sure_topics

SUITES = {"eval-reading": reading, "eval-travel-topics": sure_topics}
