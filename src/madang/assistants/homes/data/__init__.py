"""Files that ship with the assistant; each has a reader in `tools`."""
