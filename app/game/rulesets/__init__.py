"""Every ruleset of the family, as data. An id is for ever: a changed rule is a new id, or old games replay differently."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from app.game.errors import Unreadable
from app.game.rules import Ruleset, Value, Variant
from app.game.rulesets import american, latin, nordic, yacht

VARIANTS: tuple[Variant, ...] = (
    american.CLASSIC,
    american.CLASSIC_FREE,
    american.CLASSIC_PLAIN,
    american.CLASSIC_JA_ALT,
    nordic.YATZY,
    nordic.YATZY_SCANDINAVIAN,
    nordic.YATZY_KIDS,
    nordic.MAXI_YATZY,
    yacht.YACHT,
    yacht.YACHT_WW,
    american.KNIFFEL,
    latin.GENERALA,
    yacht.CHEERIO,
    yacht.CRAG,
    american.KISMET,
    american.RED_HOT,
)


def variant(id_: str) -> Variant:
    """Find a ruleset with its options still open.

    Raises:
        Unreadable: `unknown_ruleset`, naming what there is.

    """
    for known in VARIANTS:
        if known.id == id_:
            return known
    raise Unreadable("unknown_ruleset", f"There is no ruleset {id_!r}; there are {', '.join(v.id for v in VARIANTS)}.")


def ruleset(id_: str, options: Mapping[str, object] | None = None, *, text: bool = False) -> Ruleset:
    """Make a ruleset with options chosen, the defaults for the rest; equal choices give equal rulesets.

    `text`: the values are texts, as forms and the command line carry them ("true", "30").

    Raises:
        Unreadable: `unknown_ruleset`, `unknown_option`, `bad_option`, `contradicting_options`.

    """
    known = variant(id_)
    return _built(known, tuple(known.choose(options or {}, text=text).items()))


@lru_cache(maxsize=1024)
def _built(known: Variant, options: tuple[tuple[str, Value], ...]) -> Ruleset:
    return known.build(known.id, dict(options))
