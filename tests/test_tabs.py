"""Random sequences of two tabs at one game end in the state of one serial order. The measurements run a thousand of them."""

from __future__ import annotations

from random import Random

from tests.support.tabs import check_one_order, sit_down
from tests.support.web import World

SEQUENCES = 12
STEPS = 40


def test_whatever_two_tabs_send_there_is_one_order_that_explains_all_answers(any_world: World) -> None:
    visitor = any_world.visitor()
    visitor.identify()
    refused = 0
    for number in range(SEQUENCES):
        rng, sitting = Random(number), sit_down(visitor)
        for _ in range(STEPS):
            sitting.act(rng)
        check_one_order(sitting, any_world.app.state.service.play.store)
        refused += sum(status == 409 for _, status, _ in sitting.answered)
    assert refused > SEQUENCES, "the tabs came into each other's way"
