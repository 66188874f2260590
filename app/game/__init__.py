"""The rules: pure, standard library only.

`rulesets.ruleset` makes a ruleset, `state.start` sets up a table, `state.apply` makes a move with the dice of a `dice.Stream`,
`notation` writes and reads moves and games.
"""
