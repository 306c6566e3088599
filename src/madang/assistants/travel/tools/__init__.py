"""The travel assistant's tools: typed in, typed out; no state, no model."""
