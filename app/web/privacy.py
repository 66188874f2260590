"""What the server stores, table by table: said to those who play, and held against the schema by a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.web.words import N_, Words


@dataclass(frozen=True, slots=True)
class Kept:
    """Some columns of a table, their names with commas between, and what stands in them."""

    columns: str
    text: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A table: its name in the database, what a row of it is, and what stands in that row."""

    table: str
    about: str
    kept: tuple[Kept, ...]


@dataclass(frozen=True, slots=True)
class PrivacyView:
    """All that is stored: `yours` belongs to somebody who plays, `others` to nobody."""

    yours: tuple[Stored, ...]
    others: tuple[Stored, ...]


YOURS: Final = (
    Stored(
        "players",
        N_("You, from your first game or setting on"),
        (
            Kept("id", N_("a random id, which tells nothing of you")),
            Kept(
                "name,name_skeleton",
                N_("the name that you chose, if you did, and the same with lookalikes folded"),
            ),
            Kept("settings", N_("your settings")),
            Kept("created_at,deleted_at", N_("when you first played, and when you deleted your data")),
            Kept("generation", N_("how often you signed other devices out")),
        ),
    ),
    Stored(
        "aliases",
        N_("Another id of yours, from a device whose history you joined to this one"),
        (Kept("id,generation,player_id", N_("that id, and that it is you")),),
    ),
    Stored(
        "tokens",
        N_("A link to another device, a recovery code, or access for a program"),
        (
            Kept("hash", N_("a fingerprint, from which the link or code cannot be read back")),
            Kept("player_id,kind", N_("that it is yours, and which of the three it is")),
            Kept("created_at,used_at,expires_at", N_("when it was made, was used, and ends")),
        ),
    ),
    Stored(
        "games",
        N_("A game that you began"),
        (
            Kept("id", N_("its id, which stands in its address")),
            Kept(
                "kind,ruleset,options,corrections,shared_dice,first_seat,thrown,day,option_set",
                N_("what is played, by which rules, who begins, and on which day's dice"),
            ),
            Kept("dice_version,addressing,key", N_("the key from which its dice follow, and how")),
            Kept("created_at,finished_at,abandoned_at", N_("when it was begun, finished or given up")),
            Kept("assisted,hints", N_("whether an entry was taken back, and how many hints were asked for")),
            Kept("packed_log", N_("your moves, packed, some time after the end")),
            Kept("tallied", N_("whether its dice have been added to the public counts")),
        ),
    ),
    Stored(
        "seats",
        N_("Who sits at a game"),
        (
            Kept("game_id,seat,player_id,computer", N_("that it is you, or which computer player")),
            Kept("score", N_("the total at the end")),
        ),
    ),
    Stored(
        "moves",
        N_("A move"),
        (
            Kept("game_id,seq,move", N_("which dice you kept, or which box you wrote")),
            Kept("made_at", N_("when")),
        ),
    ),
    Stored(
        "entries",
        N_("Your counted attempt at a day"),
        (
            Kept("day,ruleset,player_id,game_id", N_("which day, and which game it is")),
            Kept("total,finished_at", N_("your total, and when you finished")),
            Kept("hidden", N_("whether it was taken off the board")),
        ),
    ),
)
"""What is stored of somebody who plays."""

OTHERS: Final = (
    Stored(
        "days",
        N_("A day of the daily challenge"),
        (
            Kept(
                "day,ruleset,options,dice_version,addressing,key,commitment,published_at,par,best,best_line,excused,tallied",
                N_("its rules, its dice and what was possible with them"),
            ),
        ),
    ),
    Stored(
        "option_sets",
        N_("House rules that games have in common"),
        (Kept("name,options", N_("what was chosen, once for all such games")),),
    ),
    Stored(
        "tallies",
        N_("The public counts of dice"),
        (Kept("who,face,count", N_("how often people, and computers, have rolled each face")),),
    ),
    Stored(
        "secrets",
        N_("The server's own keys"),
        (Kept("name,value,created_at", N_("what signs cookies, seals codes and makes the dice of days")),),
    ),
    Stored(
        "counters",
        N_("How often something was done in the last hour, such as new games or wrong codes"),
        (
            Kept(
                "name,count,expires_at",
                N_("a keyed fingerprint of an address or a player, and a number; both are gone when the hour is over"),
            ),
        ),
    ),
)
"""What belongs to nobody who plays."""


def privacy(words: Words) -> PrivacyView:
    """Say all of it."""
    return PrivacyView(tuple(_said(one, words) for one in YOURS), tuple(_said(one, words) for one in OTHERS))


def _said(stored: Stored, words: Words) -> Stored:
    kept = tuple(Kept(one.columns, words.gettext(one.text)) for one in stored.kept)
    return Stored(stored.table, words.gettext(stored.about), kept)
