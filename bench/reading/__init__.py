"""The learnt readers: labelled messages, training, and how well what was learnt holds for other writers."""

from bench.reading.evaluate import reading

SUITES = {"eval-reading": reading}
