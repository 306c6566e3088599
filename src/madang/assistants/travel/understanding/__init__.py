"""From a message to slots, a question or the steps of a plan."""
