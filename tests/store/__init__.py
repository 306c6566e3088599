"""Tests of the store, one body over both backends."""
