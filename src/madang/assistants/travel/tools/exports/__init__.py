"""The forms a trip can be taken away in."""
