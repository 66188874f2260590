"""Programs that play without a pause and note down every answer, to hold against what is found later."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from app.game.notation import Game, read_move
from app.game.rulesets import ruleset
from app.settings import DATABASE_FILE
from app.store import Store
from tests.support.server import Program


@dataclass(slots=True)
class Client:
    """A program that plays without a pause and notes down every answer that it gets."""

    url: str
    token: str = ""
    game: dict[str, Any] = field(default_factory=dict)
    answered: list[dict[str, Any]] = field(default_factory=list)
    moves: list[dict[str, Any]] = field(default_factory=list)
    sent: dict[str, Any] | None = None
    """The move that is on its way and has no answer yet."""

    def sit_down(self) -> None:
        """Become a player, with a game."""
        with self.line() as line:
            self.token = line.post("/players", json={"name": None}).json()["token"]
        with self.line() as line:
            self.game = line.post("/games", json={"kind": "solo", "ruleset": "classic"}).json()

    def line(self) -> httpx.Client:
        """Open a line to the server."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return httpx.Client(base_url=f"{self.url}/api/v1", headers=headers, timeout=60)

    def next_move(self) -> dict[str, Any]:
        """Choose a move: two rolls a turn, then the first box that may be filled."""
        if self.game["roll"] < 2:
            return {"version": self.game["version"], "action": "roll", "keep": [1, 3] if self.game["dice"] else []}
        return {"version": self.game["version"], "action": "score", "box": next(iter(self.game["legal"]["boxes"]))}

    def send(self, line: httpx.Client, move: dict[str, Any]) -> None:
        """Send a move, and note it down once it is answered."""
        self.sent = move
        answer = line.post(f"/games/{self.game['id']}/moves", json=move)
        assert answer.status_code == 200, answer.text
        self.game = answer.json()
        self.moves.append(move)
        self.answered.append(self.game)
        self.sent = None

    def play(self, enough: threading.Semaphore) -> None:
        """Play until the server is gone or the game is over; count every answer."""
        with self.line() as line:
            try:
                while self.game["status"] == "playing":
                    self.send(line, self.next_move())
                    enough.release()
            except httpx.TransportError:
                return


@contextmanager
def all_playing(clients: Sequence[Client], answers: int) -> Iterator[None]:
    """Let everybody play at once; the block begins after so many answers, and at its end everybody has stopped by themselves.

    It begins earlier if nobody plays any more.
    """
    enough = threading.Semaphore(0)
    threads = [threading.Thread(target=client.play, args=(enough,)) for client in clients]
    for thread in threads:
        thread.start()
    for _ in range(answers):
        while not enough.acquire(timeout=1) and any(thread.is_alive() for thread in threads):
            pass
    try:
        yield
    finally:
        for thread in threads:
            thread.join()


def see_what_was_answered(client: Client) -> None:
    """See the game where it was answered to be, or one move further: one that was stored and could not be answered any more."""
    with client.line() as line:
        found = line.get(f"/games/{client.game['id']}").json()
        log = line.get(f"/games/{client.game['id']}/log").json()
    version = client.game["version"]
    assert found["version"] in ({version, version + 1} if client.sent else {version})
    if found["version"] == version:
        assert found == client.game
    assert len(log["moves"]) == found["version"]
    # Where the last move was stored without an answer, the log is one entry longer than what was answered.
    for move, answer, entry in zip(client.moves, client.answered, log["moves"], strict=False):
        assert entry["version"] == answer["version"] == move["version"] + 1
        assert entry["move"] == written(move)
        assert entry["dice"] == answer["dice"] or move["action"] == "score"


def send_again(client: Client) -> None:
    """Send the move that had no answer: whether it was stored or not, it is there once."""
    if client.sent is None:
        return
    version = client.game["version"]
    with client.line() as line:
        client.send(line, client.sent)
    assert client.game["version"] == version + 1


def see_the_logs(program: Program, clients: list[Client]) -> None:
    """See that the stored logs are the moves as they were made, and that the games are what the rules make of them."""
    if not program.database:
        with closing(sqlite3.connect(program.data / DATABASE_FILE)) as file:
            assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    store = Store.open(program.database or program.data / DATABASE_FILE)
    rules = ruleset("classic")
    for client in clients:
        with store.reading() as tx:
            loaded = tx.load(client.game["id"])
        assert loaded is not None
        row, log = loaded
        assert log == [written(move) for move in client.moves]
        state = Game(rules, row.key, tuple(read_move(rules, text) for text in log)).play()
        assert hashlib.sha256(row.key).hexdigest() == client.game["commitment"]
        assert client.game["dice"] == (None if state.dice is None else list(state.dice))
        assert list(client.game["seats"][0]["card"].values()) == list(state.seats[0].card.points)
        assert client.game["seats"][0]["total"] == state.seats[0].card.total
    store.close()


def written(move: dict[str, Any]) -> str:
    """Write a move as the log does: `r13` keeps positions 1 and 3, `s7` fills the seventh box."""
    if move["action"] == "roll":
        return "r" + "".join(str(place) for place in move["keep"])
    return f"s{list(ruleset('classic').index).index(move['box']) + 1}"
