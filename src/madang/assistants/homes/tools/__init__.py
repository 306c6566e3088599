"""What the assistant can look up and work out: typed in, typed out, no state and no model."""
