"""Tests of the assistants."""
