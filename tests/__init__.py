"""The tests: flat, one file a layer; what several of them need lies in support/."""
