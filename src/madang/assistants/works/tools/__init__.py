"""What the agents work with: typed in, typed out; no state, no model."""
