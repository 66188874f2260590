"""Going on elsewhere: links for another device, recovery codes, signing out; each by people with browsers of their own."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable
from html import unescape

import pytest
from itsdangerous import Signer

from app.play.people import CODE_WORDS, code_words
from app.store import TokenKind
from tests.support.people import SURE, code_of, game_with, link_of, name_of, player_of, rows, take_name
from tests.support.web import Visitor, World, text_of

AFAR = {"X-Forwarded-For": "203.0.113.7"}
"""What a proxy says of somebody who is not on this machine, and so is counted."""


def games_of(visitor: Visitor) -> set[str]:
    """List the tables that a player can go on with."""
    return set(re.findall(r'class="what" href="(/games/\w+)"', visitor.get("/games").text))


def can_play(visitor: Visitor, table: str) -> bool:
    """Tell whether a table is the visitor's own."""
    return visitor.get(table).status_code == 200


# Links


def test_a_link_shows_whose_history_it_is_and_a_button_takes_it_over(world: World) -> None:
    phone, desk = world.visitor(), world.visitor()
    table = game_with(phone)
    take_name(phone, "Aino")
    link = link_of(phone)
    offer = desk.get(link)
    assert offer.status_code == 200
    assert "Aino" in text_of(offer.text)
    assert "1 game " in text_of(offer.text)
    assert not can_play(desk, table)
    taken = desk.post(link, data=SURE)
    assert (taken.status_code, taken.headers["location"]) == (303, "/settings?done=joined")
    assert games_of(desk) == games_of(phone) == {table}
    assert name_of(desk) == "Aino"
    assert player_of(desk) == player_of(phone)
    version = desk.get(f"/api/v1{table}").json()["version"]
    assert desk.post(f"{table}/roll", data={"version": str(version)}).status_code == 303


def test_looking_at_a_link_spends_nothing(world: World) -> None:
    phone, desk = world.visitor(), world.visitor()
    game_with(phone)
    link = link_of(phone)
    for method in ("GET", "HEAD", "GET", "OPTIONS"):
        world.visitor().send(method, link)
    assert world.visitor().post(link).status_code == 422, "a form without its button does nothing"
    assert rows(world, "SELECT used_at FROM tokens") == [(None,)]
    assert desk.post(link, data=SURE).status_code == 303


def test_a_link_is_good_once(world: World) -> None:
    phone, desk, thief = world.visitor(), world.visitor(), world.visitor()
    table = game_with(phone)
    link = link_of(phone)
    desk.post(link, data=SURE)
    for answer in (thief.get(link), thief.post(link, data=SURE)):
        assert answer.status_code == 410
        assert "This link has been used" in text_of(answer.text)
    assert not can_play(thief, table)
    assert thief.client.cookies.get("fairwind") is None


def test_of_many_who_press_the_button_at_once_one_gets_the_history(any_world: World) -> None:
    phone = any_world.visitor()
    game_with(phone)
    link = link_of(phone)
    answers = any_world.visitor().at_once([("POST", link, {"data": SURE})] * 6)
    assert sorted(answer.status_code for answer in answers) == [303, 410, 410, 410, 410, 410]


def test_taking_over_and_making_codes_and_deleting_at_once_end_without_an_error(any_world: World) -> None:
    for _ in range(4):
        phone, desk = any_world.visitor(), any_world.visitor()
        game_with(phone)
        game_with(desk)
        links = [("POST", link_of(phone), {"data": SURE}) for _ in range(3)]
        own = {"headers": {"Cookie": f"fairwind={phone.client.cookies['fairwind']}"}}
        others = [
            ("POST", path, {"data": SURE, **own})
            for path in ("/settings/delete", "/settings/code", "/settings/sign-out")
        ]
        answers = desk.at_once([*links, *others])
        assert {answer.status_code for answer in answers} <= {200, 303, 403, 404, 410}


def test_a_link_is_good_for_fifteen_minutes_and_not_a_second_longer(world: World) -> None:
    phone, desk = world.visitor(), world.visitor()
    game_with(phone)
    link = link_of(phone)
    world.clock.forward(minutes=14, seconds=59)
    assert desk.get(link).status_code == 200
    world.clock.forward(seconds=1)
    for answer in (desk.get(link), desk.post(link, data=SURE)):
        assert answer.status_code == 410
        assert "This link is too old" in text_of(answer.text)


def test_a_link_that_nobody_made_is_no_link(world: World) -> None:
    visitor = world.visitor()
    game_with(visitor)
    for token in ("x", "A" * 43, link_of(visitor).rpartition("/")[2][:-1], "%00", "é"):
        for answer in (visitor.get(f"/device/{token}"), visitor.post(f"/device/{token}", data=SURE)):
            assert answer.status_code == 404
            assert "There is no such link" in text_of(answer.text)


def test_a_link_of_ones_own_is_not_spent(world: World) -> None:
    phone, desk = world.visitor(), world.visitor()
    table = game_with(phone)
    link = link_of(phone)
    assert "You have this history here already" in text_of(phone.get(link).text)
    assert phone.post(link, data=SURE).status_code == 303
    assert games_of(phone) == {table}
    assert desk.post(link, data=SURE).status_code == 303


def test_only_a_hash_of_a_link_is_stored(world: World) -> None:
    phone = world.visitor()
    game_with(phone)
    token = link_of(phone).rpartition("/")[2]
    assert rows(world, "SELECT hash, kind FROM tokens") == [(hashlib.sha256(token.encode()).hexdigest(), "device")]
    dump = (world.settings.data / "fairwind.sqlite3").read_bytes()
    log = (world.settings.data / "fairwind.sqlite3-wal").read_bytes()
    assert token.encode() not in dump + log


def test_the_picture_of_a_link_is_drawn_here_and_holds_no_style(world: World) -> None:
    phone = world.visitor()
    game_with(phone)
    page = phone.post("/settings/device", data=SURE).text
    drawn = page[page.index('<div class="qr"') : page.index("</svg>")]
    assert 'role="img"' in drawn
    assert "style=" not in drawn
    assert "<path" in drawn
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", drawn)


@pytest.mark.parametrize("path", ["/settings/device", "/settings/code", "/settings/sign-out", "/settings/delete"])
def test_somebody_without_a_history_is_told_so(world: World, path: str) -> None:
    answer = world.visitor().post(path, data=SURE)
    assert answer.status_code == 403
    assert "There is nothing of yours here yet" in text_of(answer.text)
    assert rows(world, "SELECT count(*) FROM players") == [(0,)]


# Recovery codes


def test_a_code_of_six_words_brings_the_history_back(world: World) -> None:
    lost, new = world.visitor(), world.visitor()
    table = game_with(lost)
    take_name(lost, "Aino")
    code = code_of(lost)
    assert len(code.split()) == CODE_WORDS == 6
    assert set(code.split()) <= set(code_words())
    answer = new.post("/settings/recover", data={"code": code})
    assert (answer.status_code, answer.headers["location"]) == (303, "/settings?done=joined")
    assert games_of(new) == {table}
    assert name_of(new) == "Aino"


WRITTEN: tuple[Callable[[str], str], ...] = (
    str.upper,
    lambda code: code.replace(" ", "-"),
    lambda code: f"  {code.replace(' ', '  ')}\n",
    lambda code: code.replace(" ", ", "),
    str.title,
)


def test_a_code_may_be_written_as_people_write(world: World) -> None:
    lost = world.visitor()
    table = game_with(lost)
    code = code_of(lost)
    for write in WRITTEN:
        new = world.visitor()
        assert new.post("/settings/recover", data={"code": write(code)}).status_code == 303
        assert games_of(new) == {table}


def test_the_list_of_words_has_two_thousand_and_forty_eight_different_beginnings() -> None:
    assert len(code_words()) == 2048
    assert len({word[:4] for word in code_words()}) == 2048
    assert all(re.fullmatch("[a-z]{3,8}", word) for word in code_words())


def test_wrong_codes_are_refused_and_change_nothing(world: World) -> None:
    lost, other = world.visitor(), world.visitor()
    game_with(lost)
    code = code_of(lost).split()
    mine = game_with(other)
    wrong = (" ".join(code[:5]), " ".join([*code, "zoo"]), " ".join(reversed(code)), "".join(code), "x", "é" * 200)
    for text in wrong:
        answer = other.post("/settings/recover", data={"code": text})
        assert answer.status_code == 422
        assert "There is no history with this code" in text_of(answer.text)
    assert games_of(other) == {mine}
    assert other.post("/settings/recover", data={"code": "x" * 20_000}).status_code == 413
    assert other.post("/settings/recover", data={"code": "x" * 2_000}).status_code == 422
    assert other.post("/settings/recover", data={"code": ""}).status_code == 422


def test_a_code_is_replaced_by_a_new_one(world: World) -> None:
    lost = world.visitor()
    table = game_with(lost)
    old, new = code_of(lost), code_of(lost)
    assert old != new
    assert world.visitor().post("/settings/recover", data={"code": old}).status_code == 422
    found = world.visitor()
    assert found.post("/settings/recover", data={"code": new}).status_code == 303
    assert games_of(found) == {table}
    assert rows(world, "SELECT count(*) FROM tokens WHERE kind = 'recovery'") == [(1,)]


def test_of_several_codes_made_at_once_one_is_good(any_world: World) -> None:
    lost = any_world.visitor()
    game_with(lost)
    made = lost.at_once([("POST", "/settings/code", {"data": SURE})] * 6)
    assert {answer.status_code for answer in made} == {200}
    with any_world.app.state.service.people.store.reading() as tx:
        kinds = [token.kind for token in tx.tokens_of(player_of(lost))]
    assert kinds == [TokenKind.RECOVERY]


def test_a_code_is_stored_sealed_with_a_key_of_the_servers(world: World) -> None:
    lost = world.visitor()
    game_with(lost)
    code = code_of(lost)
    ((key,),) = rows(world, "SELECT value FROM secrets WHERE name = 'recovery'")
    assert len(key) == 32
    sealed = hmac.new(key, code.encode(), hashlib.sha256).hexdigest()
    assert rows(world, "SELECT hash FROM tokens") == [(sealed,)]
    assert code not in lost.get("/settings").text, "it is shown once"


def test_ten_wrong_codes_an_hour_are_let_in_from_one_address(world: World) -> None:
    lost = world.visitor()
    game_with(lost)
    code = code_of(lost)
    guesser = world.visitor(**AFAR)
    assert guesser.post("/settings/recover", data={"code": code}).status_code == 303, "a right one does not count"
    for _ in range(10):
        assert guesser.post("/settings/recover", data={"code": "abandon"}).status_code == 422
    stopped = guesser.post("/settings/recover", data={"code": code})
    assert stopped.status_code == 429
    assert 0 < int(stopped.headers["retry-after"]) <= 3600
    assert world.visitor(**AFAR).post("/settings/recover", data={"code": code}).status_code == 429, "another browser"
    elsewhere = world.visitor(**{"X-Forwarded-For": "203.0.113.8"})
    assert elsewhere.post("/settings/recover", data={"code": code}).status_code == 303
    world.clock.forward(hours=1, seconds=1)
    assert guesser.post("/settings/recover", data={"code": code}).status_code == 303


def test_names_and_links_are_limited_to_ten_an_hour(world: World) -> None:
    for path, form in (("/settings/name", {"name": "Aino"}), ("/settings/device", SURE)):
        visitor = world.visitor(**AFAR)
        game_with(visitor)
        codes = [visitor.post(path, data=form).status_code for _ in range(11)]
        assert codes[-1] == 429
        assert 429 not in codes[:10]


# Signing out


def test_signing_out_leaves_this_browser_alone(world: World) -> None:
    phone, desk, late = world.visitor(), world.visitor(), world.visitor()
    table = game_with(phone)
    desk.post(link_of(phone), data=SURE)
    waiting = link_of(phone)
    answer = phone.post("/settings/sign-out", data=SURE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/settings?done=signed_out")
    assert can_play(phone, table)
    assert games_of(phone) == {table}
    assert not can_play(desk, table)
    assert "There is no game of yours here yet" in text_of(desk.get("/games").text)
    assert late.get(waiting).status_code == 404
    # The one that stayed can go on, open games, and be signed out in its turn.
    second = game_with(phone)
    desk.post(link_of(phone), data=SURE)
    assert games_of(desk) == {table, second}
    phone.post("/settings/sign-out", data=SURE)
    desk_again = game_with(desk)
    assert games_of(desk) == {desk_again}, "signed out, it is somebody new"
    assert games_of(phone) == {table, second}


def test_a_recovery_code_outlives_signing_out(world: World) -> None:
    phone, found = world.visitor(), world.visitor()
    table = game_with(phone)
    code = code_of(phone)
    phone.post("/settings/sign-out", data=SURE)
    found.post("/settings/recover", data={"code": code})
    assert games_of(found) == {table}


def test_a_cookie_of_before_stays_good_until_somebody_signs_out(world: World) -> None:
    visitor = world.visitor()
    table = game_with(visitor)
    player = player_of(visitor)
    signer: Signer = world.app.state.service.signer
    plain = signer.sign(player).decode()
    assert visitor.client.cookies["fairwind"] == plain, "the id alone"
    visitor.post("/settings/sign-out", data=SURE)
    old = world.visitor()
    for cookie, status in (
        (plain, 403),
        (signer.sign(f"{player}.1").decode(), 200),
        (signer.sign(f"{player}.2").decode(), 403),
    ):
        assert old.get(table, headers={"Cookie": f"fairwind={cookie}"}).status_code == status
    for odd in (f"{player}.x", f"{player}.-1", f"{player}.", ".1", "", f"{player}.1.1", f"{player}.{'9' * 50}", "é"):
        cookie = signer.sign(odd).decode("latin-1")
        assert old.get(table, headers={b"Cookie": f"fairwind={cookie}".encode("latin-1")}).status_code == 403, odd


def test_signing_out_takes_programs_along(world: World) -> None:
    program = world.visitor()
    program.identify()
    program.new_game()
    signer: Signer = world.app.state.service.signer
    ((player,),) = rows(world, "SELECT id FROM players")
    page = world.visitor()
    page.client.cookies.set("fairwind", signer.sign(player).decode())
    assert page.post("/settings/sign-out", data=SURE).status_code == 303
    assert program.get("/api/v1/games/x").status_code == 401


def test_the_link_page_can_be_read_without_script(world: World) -> None:
    phone = world.visitor()
    game_with(phone)
    page = phone.post("/settings/device", data=SURE).text
    shown = unescape(re.findall(r"<textarea[^>]*>([^<]*)</textarea>", page)[0])
    assert shown.startswith("http://fairwind.test/device/")
    assert "15 minutes" in text_of(page)
