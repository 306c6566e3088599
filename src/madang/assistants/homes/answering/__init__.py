"""From what the agents found to the words of an answer, and to the state's bookkeeping."""
