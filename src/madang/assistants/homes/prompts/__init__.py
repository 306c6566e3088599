"""Prompt texts: what a model is told of this assistant for understanding, with examples, and for answering."""
