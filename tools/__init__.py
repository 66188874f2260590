"""Scripts that make runs."""
