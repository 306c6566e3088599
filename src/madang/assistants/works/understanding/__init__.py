"""A message read into its meaning, and the steps, the question or the refusal that follow from it."""
