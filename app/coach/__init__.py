"""What is best: the exact solver, and what is made of its numbers. Pure but for its table files; knows no game by name."""
