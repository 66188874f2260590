"""Fairwind: the family of five-dice games, on a page of your own."""

__version__ = "0.1.0"
