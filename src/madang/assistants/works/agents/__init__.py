"""The five agents of `works`."""
