"""What tests stand on: a real PostgreSQL and a real browser."""
