"""Before a roll nothing that leaves the server holds a later die or the key."""

from __future__ import annotations

import base64
import binascii
import re

from app.game.dice import Stream
from tests.support.web import World


def decodings(text: bytes) -> list[bytes]:
    """Give the bytes as they are, and whatever of them reads as base64 or hexadecimal, decoded."""
    found = [text]
    for word in set(re.findall(rb"[A-Za-z0-9+/_=-]{16,}", text)):
        padded = word.replace(b"-", b"+").replace(b"_", b"/") + b"=" * (-len(word) % 4)
        try:
            found.append(base64.b64decode(padded, validate=True))
        except binascii.Error:
            continue
    found += [binascii.unhexlify(word) for word in set(re.findall(rb"(?:[0-9a-fA-F]{2}){8,}", text))]
    return found


def test_no_byte_sent_before_the_end_gives_the_key_away(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table(corrections="1")
    sent: list[bytes] = []

    def record(method: str, path: str, **more: object) -> None:
        answer = visitor.send(method, path, **more)
        sent.append(repr(answer.headers.multi_items()).encode())
        sent.append(answer.content)

    version = 0
    for turn in range(13):
        for keep in ([], [0, 1]):
            record(
                "POST", f"{table}/roll", data={"version": str(version), "keep": keep}, headers={"HX-Request": "true"}
            )
            version += 1
        if turn == 12:
            break
        for path in (
            "/",
            "/games",
            table,
            f"{table}/log",
            "/stats",
            f"/api/v1{table}",
            f"/api/v1{table}/log",
            f"{table}/nothing",
        ):
            record("GET", path)
        record("POST", f"{table}/roll", data={"version": "999"})
        record("POST", f"/api/v1{table}/moves", json={"version": version, "action": "roll", "keep": [9]})
        box = next(iter(visitor.get(f"/api/v1{table}").json()["legal"]["boxes"]))
        record(
            "POST",
            f"{table}/score",
            data={"version": str(version), "box": box, "confirm": "1"},
            headers={"HX-Request": "true"},
        )
        version += 1
    key = world.keys[-1]
    assert visitor.get(f"/api/v1{table}").json()["status"] == "playing"
    for text in sent:
        for decoded in decodings(text):
            assert key not in decoded
            assert key.hex().encode() not in decoded.lower()


def test_what_is_sent_before_a_roll_does_not_depend_on_its_dice(world: World) -> None:
    """Two keys that agree on the first roll and on nothing else: until the second roll all answers are alike."""
    first = bytes(32)
    wanted = Stream(first).faces(5, 0, 1, 1, 0)
    other = next(
        key
        for number in range(1, 10**6)
        for key in [number.to_bytes(32, "big")]
        if Stream(key).faces(5, 0, 1, 1, 0) == wanted
        and Stream(key).faces(5, 0, 1, 2, 1) != Stream(first).faces(5, 0, 1, 2, 1)
    )
    seen = []
    for key in (first, other):
        world.keys_to_come.append(key)
        visitor = world.visitor()
        visitor.identify()
        game = visitor.play(visitor.new_game(), action="roll", keep=[])
        game.pop("commitment")
        seen.append(str(game).replace(game["id"], ""))
    assert seen[0] == seen[1]
