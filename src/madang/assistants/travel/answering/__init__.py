"""From what the experts wrote to words, tables and files."""
