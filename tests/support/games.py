"""Games played to the end by the use cases alone, as quickly as they can be had."""

from __future__ import annotations

from app.game.rulesets import ruleset
from app.game.state import Roll, Score, legal
from app.play import Plan, Play


def play_on(play: Play, game_id: str, player: str, *, turns: int = 99, rolls: int = 1) -> None:
    """Play some turns of a game: so many rolls each, the first die kept, then the first box that may be filled."""
    look = play.look(game_id, player)
    for _ in range(turns):
        if look.status != "playing":
            return
        for number in range(rolls):
            look = play.move(game_id, player, look.version, Roll((0,) if number else ())).look
        look = play.move(game_id, player, look.version, Score(next(iter(legal(look.state).boxes)))).look


def finished_game(play: Play, player: str | None = None, id_: str = "yacht", rolls: int = 1) -> tuple[str, str]:
    """Make a game and play it to the end; give the player's and the game's ids."""
    player, look = play.open_game(player, Plan(ruleset(id_)))
    play_on(play, look.id, player, rolls=rolls)
    return player, look.id
