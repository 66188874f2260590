"""The command line: `fairwind …`, the same as `python -m app …`.

Commands import what they need when they run: one that only scores dice starts without the web server's libraries.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from app import __version__
from app.command.line import Group, Whole, card, json_option, pairs, run, say

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
        store.migrate()
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

    with opened() as (_, store):
        store.check_schema()
        differed = Play(store, clock.system).recount()
    lines = [f"{one.game}: {one.what} was {one.stored}, is now {one.counted}" for one in differed]
    say({"differed": [asdict(one) for one in differed]}, "\n".join(lines or ["Nothing differed from the logs."]))


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


@cli.command(options_metavar="[--card BOX=POINTS]... [--roll N] [--option NAME=VALUE]... [--batch]")
@click.argument("ruleset", required=False, metavar="RULESET")
@click.argument("dice", nargs=-1, type=Whole(1, 6), metavar="DICE...")
@click.option("--card", metavar="BOX=POINTS", multiple=True, callback=card, help="A filled box; may be repeated.")
@click.option("--roll", type=Whole(1, 99), help="The roll that the dice lie on; the last one if not given.")
@click.option(
    "--option", metavar="NAME=VALUE", multiple=True, callback=pairs, help="An option of the ruleset; may be repeated."
)
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


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit code: 0 done, 1 refused by the environment, 2 a wrong call."""
    return run(cli, words)


if __name__ == "__main__":
    sys.exit(main())
