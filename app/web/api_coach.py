"""The coach in the JSON API: a hint in a game, and the review of a finished one."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from app.coach.advice import Advice, Choice
from app.coach.ledger import Decision, Thrown, TurnReview
from app.play.coaching import Review, verdict
from app.web.api_bodies import API, Body, JsonOnly, failures
from app.web.service import ApiPlayer, Served

router = APIRouter(prefix=API)


class HintBody(Body):
    """Ask for a hint, as seen at a version."""

    version: Annotated[int, Field(ge=0)]


class RollChoice(BaseModel):
    """Keep these faces and roll the rest."""

    action: Literal["roll"]
    keep: list[int]


class ScoreChoice(BaseModel):
    """Write a box."""

    action: Literal["score"]
    box: str


class KeepModel(BaseModel):
    """Faces to keep, and the points that this brings on average to the end of the game."""

    keep: list[int]
    expected: float


class HintModel(BaseModel):
    """What every choice is worth, best keep first.

    `boxes` are those that may be chosen; `likely` gives the chance of each open box to be filled at the end of this turn if
    the best keep is kept; `bonus` the chance of the upper bonus after the best choice, null where nothing is known of it.
    """

    best: RollChoice | ScoreChoice
    keeps: list[KeepModel]
    boxes: dict[str, float]
    value: float
    likely: dict[str, float]
    bonus: float | None


class RollModel(BaseModel):
    """A roll: the faces kept before it, the dice after it, and by how much its luck moved the expected total."""

    kept: list[int]
    dice: list[int]
    luck: float


class DecisionModel(BaseModel):
    """A choice, what was best, and what both are worth to the end of the game; `verdict` is null where there was no choice."""

    dice: list[int]
    rolls_left: int
    chosen: RollChoice | ScoreChoice
    best: RollChoice | ScoreChoice
    worth: float
    best_worth: float
    given: float
    verdict: str | None


class TurnModel(BaseModel):
    """A turn: the card before it and the expected total then, its rolls, and the choice after each."""

    turn: int
    card: dict[str, int | None]
    expected: float
    rolls: list[RollModel]
    decisions: list[DecisionModel]
    verdict: str


class ReviewModel(BaseModel):
    """The ledger of a finished game: start + luck - given + outside = total, to the last digit."""

    id: str
    seat: int
    ruleset: str
    options: dict[str, bool | int | str]
    start: float
    luck: float
    given: float
    outside: float
    total: int
    turns: list[TurnModel]


@router.post(
    "/games/{game_id}/hint",
    dependencies=[JsonOnly],
    responses=failures(400, 401, 403, 404, 409, 413, 415, 422, 503),
)
def give_hint(game_id: str, body: HintBody, player: ApiPlayer, served: Served) -> HintModel:
    """Say what every choice is worth now; the game counts as assisted from then on."""
    hint = served.coaching.hint(game_id, player, body.version)
    counsel = hint.counsel
    bonus = None if counsel.bonus is None else counsel.bonus.after[counsel.advice.best]
    return HintModel(**advice_json(counsel.advice), likely=dict(counsel.likely), bonus=bonus)


@router.get("/games/{game_id}/review", responses=failures(401, 403, 404, 422, 503))
def show_review(
    game_id: str, player: ApiPlayer, served: Served, seat: Annotated[int | None, Query(ge=0, le=5)] = None
) -> ReviewModel:
    """Show the ledger of a finished game: of one's own seat, or of another."""
    return review_model(served.coaching.review(game_id, player, seat))


def advice_json(advice: Advice) -> dict[str, Any]:
    """Write advice as the API and the command line have it."""
    return {
        "best": choice_of(advice.best).model_dump(),
        "keeps": [{"keep": list(some.keep), "expected": some.expected} for some in advice.keeps],
        "boxes": dict(advice.boxes),
        "value": advice.value,
    }


def choice_of(choice: Choice) -> RollChoice | ScoreChoice:
    """Write a choice."""
    if isinstance(choice, str):
        return ScoreChoice(action="score", box=choice)
    return RollChoice(action="roll", keep=list(choice))


def review_model(review: Review) -> ReviewModel:
    """Write a review."""
    ledger, rules = review.ledger, review.look.state.ruleset
    return ReviewModel(
        id=review.look.id,
        seat=review.seat,
        ruleset=rules.id,
        options=dict(rules.options),
        start=ledger.start,
        luck=ledger.luck,
        given=ledger.given,
        outside=ledger.outside,
        total=ledger.total,
        turns=[
            _turn(number, turn, judged.value)
            for number, (turn, judged) in enumerate(zip(ledger.turns, review.turns, strict=True), start=1)
        ],
    )


def _turn(number: int, turn: TurnReview, judged: str) -> TurnModel:
    keys = [box.key for box in turn.card.ruleset.boxes]
    return TurnModel(
        turn=number,
        card=dict(zip(keys, turn.card.points, strict=True)),
        expected=turn.expected,
        rolls=[_roll(roll) for roll in turn.rolls],
        decisions=[_decision(decision) for decision in turn.decisions],
        verdict=judged,
    )


def _roll(roll: Thrown) -> RollModel:
    return RollModel(kept=list(roll.keep), dice=list(roll.dice), luck=roll.luck)


def _decision(decision: Decision) -> DecisionModel:
    return DecisionModel(
        dice=list(decision.dice),
        rolls_left=decision.rolls_left,
        chosen=choice_of(decision.chosen),
        best=choice_of(decision.best),
        worth=decision.worth,
        best_worth=decision.best_worth,
        given=decision.given,
        verdict=None if decision.forced else verdict(decision.given).value,
    )
