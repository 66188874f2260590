"""What the commands do, where it takes more than a few lines; `app.__main__` reads the command line and calls it."""
