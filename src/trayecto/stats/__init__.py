"""Statistics: numbers in, numbers out. Nothing here knows what a trajectory is."""
