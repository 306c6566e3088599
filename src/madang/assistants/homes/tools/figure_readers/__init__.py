"""Readers of questions, one file a subject: each makes a calculator's request of the facts of a question."""
