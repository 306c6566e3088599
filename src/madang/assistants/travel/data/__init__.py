"""What the travel assistant knows: cities and places, regions, the wider world, and the constants of its estimates."""
