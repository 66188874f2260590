"""What is best: the exact solver and what is made of its numbers. It knows no game by name."""
