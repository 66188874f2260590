"""What all commands share: reading the words of a call, answering as text or JSON, refusing in one sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import click

from app.game.errors import Unreadable

Json: TypeAlias = dict[str, object]
"""A JSON object, ready to be written."""

WRONG_CALL = 2
INTERRUPTED = 130
_AS_JSON = "fairwind.json"


class Command(click.Command):
    """A command whose every complaint about a call knows which command it is about."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the call."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            # Click leaves it out where an option lacks its value.
            error.ctx = error.ctx or ctx
            raise


class Group(click.Group):
    """Commands of this kind."""

    command_class = Command


class Whole(click.ParamType[int]):
    """A whole number between two, both included."""

    name = "number"

    def __init__(self, least: int, most: int) -> None:
        """Take the two."""
        self.least, self.most = least, most

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number."""
        # Not int(): that takes 1_0, digits of other scripts, and numbers too long to print.
        if not re.fullmatch(r"-?[0-9]{1,9}", str(value)) or not self.least <= int(str(value)) <= self.most:
            self.fail(f"{value!r} is not a whole number from {self.least} to {self.most}.", param, ctx)
        return int(str(value))


class Faces(click.ParamType[tuple[int, ...]]):
    """Faces of dice in one word, such as 446, 4-4-6 or "4 4 6"."""

    name = "faces"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Read the faces, ascending."""
        if isinstance(value, tuple):
            return value
        if not re.fullmatch(r"[1-6]([ ,-]?[1-6])*", str(value)):
            self.fail(f"{value!r} is not a word of faces from 1 to 6, such as 446.", param, ctx)
        return tuple(sorted(int(face) for face in re.findall(r"[1-6]", str(value))))


json_option = click.option(
    "--json",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _option, value: context.meta.update({_AS_JSON: True}) if value else None,
    help="Print one JSON document and nothing else.",
)


def pairs(_context: click.Context, option: click.Parameter, words: Iterable[str]) -> dict[str, str]:
    """Read the NAME=VALUE words of an option that may be repeated, each name once."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise click.BadParameter(f"{word!r} is not {option.metavar}.")
        if name in found:
            raise click.BadParameter(f"{name} is given twice.")
        found[name] = value
    return found


def card(context: click.Context, option: click.Parameter, words: Iterable[str]) -> dict[str, int]:
    """Read the BOX=POINTS words of an option that may be repeated, each box once."""
    points = Whole(0, 9999)
    return {box: points.convert(word, option, context) for box, word in pairs(context, option, words).items()}


def say(document: object, text: str) -> None:
    """Answer a call: the document where JSON is asked for, otherwise the text."""
    as_json = click.get_current_context().meta.get(_AS_JSON, False)
    click.echo(json.dumps(document) if as_json else text)


def run(commands: Group, words: Sequence[str] | None) -> int:
    """Run a command and give the exit code; without `words` they are those that the program was called with.

    0: done; 1: the environment refuses it; 2: the call is wrong. The last two come with one sentence on standard error.
    """
    try:
        code = commands.main(words, prog_name="fairwind", standalone_mode=False)
    except click.ClickException as error:
        return _complain(_sentence(error), error.exit_code)
    except Unreadable as error:
        return _complain(f"fairwind: {error.message}", WRONG_CALL)
    except click.Abort:
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _complain(sentence: str, code: int) -> int:
    # Whatever was typed may be quoted in it: it stays one line, and sends the terminal no commands.
    line = " ".join(sentence.split())
    click.echo("".join(sign if sign.isprintable() else "?" for sign in line), err=True)
    return code


def _sentence(error: click.ClickException) -> str:
    """Say what is wrong and, of a wrong call, what would be right."""
    message = error.format_message().rstrip(".") + "."
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return f"fairwind: {message}"
    if isinstance(context.command, click.Group):
        right = f"The commands are {', '.join(context.command.commands)}."
    else:
        right = f"Right is: {context.command_path} {' '.join(context.command.collect_usage_pieces(context))}"
    return f"{context.command_path}: {message} {right}"
