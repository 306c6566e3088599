"""A2A, the agents' own protocol: each assistant is an agent, a conversation a context, a turn a task."""
