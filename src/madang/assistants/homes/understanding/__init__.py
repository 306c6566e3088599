"""From a message to a reading of it, and from the reading to steps, a question or guidance."""
