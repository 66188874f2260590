"""The command line: `fairwind …`, the same as `python -m app …`.

Commands import what they need when they run: one that only scores dice starts without the web server's libraries.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from app import __version__
from app.command.line import Faces, Group, Whole, card, json_option, pairs, run, say

if TYPE_CHECKING:
    from app.web.api import RulesetModel


@click.group(cls=Group, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="fairwind %(version)s")
@json_option
def cli() -> None:
    """Fairwind: the family of five-dice games, on a page of your own."""


@cli.command(options_metavar="[--host H] [--port P] [--workers N]")
@click.option("--host", help="Address to listen on; otherwise FAIRWIND_HOST, 127.0.0.1.")
@click.option("--port", type=Whole(0, 65535), help="Port, 0 for a free one; otherwise FAIRWIND_PORT, 8000.")
@click.option("--workers", type=Whole(1, 64), help="Server processes; otherwise FAIRWIND_WORKERS, 1.")
@json_option
def serve(**given: str | int | None) -> None:
    """Bring the database up to date, then serve the pages and the API."""
    if given["host"] == "":
        raise click.BadParameter("an address is missing, such as 127.0.0.1.", param_hint="'--host'")
    from app.command.database import one_sentence, opened
    from app.command.serve import serve

    with opened() as (settings, store):
        if settings.read_only == "off":
            store.migrate()
        else:
            store.check_schema()
    chosen = {name: value for name, value in given.items() if value is not None}
    with one_sentence():
        serve(settings.model_copy(update=chosen), _say_where)


def _say_where(address: str) -> None:
    say({"url": address}, f"Fairwind is ready: point your browser at {address}")


@cli.command(options_metavar="[--json]")
@json_option
def migrate() -> None:
    """Bring the database to the schema of this version."""
    from app.command.database import opened

    with opened() as (_, store):
        store.migrate()
    say({"migrated": True}, "The database has the schema of this version.")


@cli.command(options_metavar="[--json]")
@json_option
def recount() -> None:
    """Work out again what is derived from the games' logs."""
    from dataclasses import asdict

    from app import clock
    from app.command.database import opened
    from app.play import Play
    from app.play.tallying import Tallying

    with opened() as (_, store):
        store.check_schema()
        differed = [*Play(store, clock.system).recount(), *Tallying(store, clock.system).recount()]
    lines = [f"{one.game or 'all dice'}: {one.what} was {one.stored}, is now {one.counted}" for one in differed]
    say({"differed": [asdict(one) for one in differed]}, "\n".join(lines or ["Nothing differed from the logs."]))


@cli.command(options_metavar="[--json]")
@click.argument("path", metavar="PATH")
@json_option
def backup(path: str) -> None:
    """Write a copy of the whole database into one new file, while the server goes on; it holds secrets."""
    from app.command.keep import back_up

    say(*back_up(path))


@cli.command(options_metavar="[--force] [--json]")
@click.argument("path", metavar="PATH")
@click.option("--force", is_flag=True, help="Take away what is in the database; otherwise it must be empty.")
@json_option
def restore(path: str, *, force: bool) -> None:
    """Fill the database from a copy that backup wrote, then replay every game and say whether all fits together."""
    from app.command.keep import restore as fill

    say(*fill(path, force=force))


@cli.command(options_metavar="--to URL [--json]")
@click.option("--to", required=True, metavar="URL", help="The address of another, empty database.")
@json_option
def copy(to: str) -> None:
    """Copy everything into another database, such as from SQLite to PostgreSQL, and compare every row."""
    from app.command.keep import copy_to

    say(*copy_to(to))


@cli.command(options_metavar="[--json]")
@json_option
def prune() -> None:
    """Take away what nobody will come back for, and pack the logs of ended games."""
    from app.command.keep import prune as clear

    say(*clear())


@cli.command(options_metavar="[--json]")
@json_option
def rulesets() -> None:
    """List the rulesets with their dice, boxes and options."""
    from app.web.api import list_rulesets

    found = list_rulesets()
    say([model.model_dump() for model in found], "\n\n".join(_ruleset_text(model) for model in found))


def _ruleset_text(model: RulesetModel) -> str:
    from app.game.rules import text_of

    lines = [f"{model.id}: {model.name}", f"  {model.dice} dice, {model.rolls} rolls, boxes {', '.join(model.boxes)}"]
    lines += [
        f"  {option}: {', '.join(text_of(value) for value in values)}" for option, values in model.options.items()
    ]
    return "\n".join(lines)


option_pairs = click.option(
    "--option", metavar="NAME=VALUE", multiple=True, callback=pairs, help="An option of the ruleset; may be repeated."
)


@cli.command(options_metavar="[--card BOX=POINTS]... [--roll N] [--option NAME=VALUE]... [--batch]")
@click.argument("ruleset", required=False, metavar="RULESET")
@click.argument("dice", nargs=-1, type=Whole(1, 6), metavar="DICE...")
@click.option("--card", metavar="BOX=POINTS", multiple=True, callback=card, help="A filled box; may be repeated.")
@click.option("--roll", type=Whole(1, 99), help="The roll that the dice lie on; the last one if not given.")
@option_pairs
@click.option("--batch", is_flag=True, help="Read JSON lines from standard input and answer each by a line.")
@json_option
def score(  # noqa: PLR0913 -- one for each word of the call
    ruleset: str | None,
    dice: tuple[int, ...],
    card: dict[str, int],
    roll: int | None,
    option: dict[str, str],
    *,
    batch: bool,
) -> None:
    """Say what dice bring in every open box.

    For instance: fairwind score classic 1 1 3 4 5 --card ones=3

    Without --roll the dice lie on the last roll. With --batch each line of standard input is an object with the fields
    ruleset, dice, card, roll, options.
    """
    if batch:
        if ruleset or card or option or roll is not None:
            raise click.UsageError(
                "--batch stands alone: the lines that it reads say the ruleset, the dice and the rest."
            )
        _score_lines()
        return
    if ruleset is None:
        raise click.UsageError("The ruleset and the dice are missing.")
    from app.command.score import score_answer, score_text
    from app.game.position import position
    from app.game.rulesets import ruleset as make_ruleset

    rules = make_ruleset(ruleset, option, text=True)
    where = position(rules, dice, card, roll)
    say(score_answer(where), score_text(where))


def _score_lines() -> None:
    from app.command.score import score_lines

    # A caller may wait for each answer before it sends the next line, so none is held back.
    if sys.stdin is not None:
        for line in score_lines(sys.stdin.buffer):
            click.echo(line)


def _one_thread_a_product() -> None:
    # The solver's own threads keep every processor busy. NumPy's library reads this when it is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@cli.command(options_metavar="[--option NAME=VALUE]... [--statistics] [--force]")
@click.argument("ruleset", metavar="RULESET")
@option_pairs
@click.option("--statistics", is_flag=True, help="Work out deviation, bonus rate, and every box's mean and zeros too.")
@click.option("--force", is_flag=True, help="Solve it anew even if its table is there.")
@json_option
def solve(ruleset: str, option: dict[str, str], *, statistics: bool, force: bool) -> None:
    """Solve a game exactly: what it is worth under best play.

    For instance: fairwind solve classic --option joker=free_choice
    """
    _one_thread_a_product()
    from app.command.solve import follow, solve_answer, solve_text
    from app.command.tables import solved
    from app.game.rulesets import ruleset as make_ruleset

    table = solved(make_ruleset(ruleset, option, text=True), force=force)
    found = follow(table) if statistics else None
    say(solve_answer(table, found), solve_text(table, found))


@cli.command(options_metavar="--rolls-left N [--card BOX=POINTS]... [--locked FACES] [--option NAME=VALUE]...")
@click.argument("ruleset", metavar="RULESET")
@click.argument("dice", nargs=-1, type=Whole(1, 6), metavar="DICE...")
@click.option("--rolls-left", type=Whole(0, 99), required=True, help="How many rolls this turn still has.")
@click.option("--card", metavar="BOX=POINTS", multiple=True, callback=card, help="A filled box; may be repeated.")
@click.option("--locked", metavar="FACES", type=Faces(), default=(), help="Dice that must stay, such as 44.")
@option_pairs
@json_option
def advise(  # noqa: PLR0913, PLR0917 -- one for each word of the call
    ruleset: str,
    dice: tuple[int, ...],
    rolls_left: int,
    card: dict[str, int],
    locked: tuple[int, ...],
    option: dict[str, str],
) -> None:
    """Say what every keep and every box is worth, in points to come, and which of them is best.

    For instance: fairwind advise classic 4 4 4 2 5 --rolls-left 2 --card ones=3
    """
    _one_thread_a_product()
    from app.coach.advice import Coach, check_position
    from app.command.advise import advise_answer, advise_text
    from app.command.tables import solved
    from app.game.card import card_from
    from app.game.rulesets import ruleset as make_ruleset

    rules = make_ruleset(ruleset, option, text=True)
    position = card_from(rules, card)
    check_position(position, dice, rolls_left, locked)
    advice = Coach(solved(rules).table).advise(position, dice, rolls_left, locked=locked)
    say(advise_answer(advice), advise_text(rules.id, dice, advice))


@cli.command(options_metavar="[--level LEVEL] [--games N] [--seed S] [--option NAME=VALUE]...")
@click.argument("ruleset", metavar="RULESET")
@click.option("--level", default="perfect", metavar="LEVEL", help="novice, casual, skilled or perfect, the default.")
@click.option("--games", type=Whole(1, 10_000_000), default=10_000, help="How many games; 10000 if not given.")
@click.option("--seed", type=Whole(0, 999_999_999), default=1, help="Which games: the same seed gives the same ones.")
@option_pairs
@json_option
def simulate(ruleset: str, level: str, games: int, seed: int, option: dict[str, str]) -> None:
    """Let a computer player play many games alone, and say how they come out.

    For instance: fairwind simulate yatzy --level casual --games 100000
    """
    _one_thread_a_product()
    from app.coach.players import check_level
    from app.command.simulate import play_games, simulate_answer, simulate_text
    from app.command.tables import solved
    from app.game.rulesets import ruleset as make_ruleset

    rules = make_ruleset(ruleset, option, text=True)
    check_level(rules, level)
    table = solved(rules).table
    found, seconds = play_games(table, level, games, seed)
    say(simulate_answer(table, found, seconds), simulate_text(table, level, found, seconds))


@cli.command(options_metavar="[--ruleset RULESET]")
@click.argument("words", nargs=-1, metavar="[DATE | excuse DATE | hide DATE PLAYER | outliers DATE]")
@click.option("--ruleset", metavar="RULESET", help="One of FAIRWIND_DAILIES; the first is meant if not given.")
@json_option
def daily(words: tuple[str, ...], ruleset: str | None) -> None:
    """Say what is published of a day, today if no DATE is given, and after its close its key and its dice.

    For instance: fairwind daily 2026-11-29 --ruleset yatzy

    For whoever runs the server: `excuse DATE` lets a day on which it was down break no streak; `hide DATE PLAYER` takes a player,
    by id or name, off a day's board. Without --ruleset both are done by every ruleset of the day. `outliers DATE` names
    the attempts above par at a closed day that were luckier than chance explains.
    """
    from app.command.daily import excuse, hide, outliers, show

    match words:
        case () | (_,):
            show(*words, ruleset=ruleset)
        case ("excuse", date):
            excuse(date, ruleset)
        case ("hide", date, player):
            hide(date, player, ruleset)
        case ("outliers", date):
            outliers(date, ruleset)
        case _:
            raise click.UsageError(f"{' '.join(words)!r} is not understood.")


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit code: 0 done, 1 refused by the environment, 2 a wrong call."""
    return run(cli, words)


if __name__ == "__main__":
    sys.exit(main())
