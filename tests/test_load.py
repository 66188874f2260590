"""Many players at once on the real program, small: no error, no lost and no doubled move, and slow clients hinder nobody."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx

from app.play.course import replay
from app.settings import DATABASE_FILE
from app.store import Store
from tests.support.server import started

PLAYERS = 12
TURNS = 5


def play(url: str, everybody: threading.Barrier) -> tuple[str, list[dict[str, Any]]]:
    """Play some turns without a pause; gives the game's id and every answer."""
    answers: list[dict[str, Any]] = []
    with httpx.Client(base_url=f"{url}/api/v1", timeout=60) as line:
        line.headers["Authorization"] = f"Bearer {line.post('/players', json={'name': None}).json()['token']}"
        game = line.post("/games", json={"ruleset": "classic"}).json()
        everybody.wait()
        while game["turn"] <= TURNS:
            move = {"version": game["version"], "action": "roll", "keep": []}
            if game["roll"] == 2:
                move = {"version": game["version"], "action": "score", "box": next(iter(game["legal"]["boxes"]))}
            answer = line.post(f"/games/{game['id']}/moves", json=move)
            assert answer.status_code == 200, answer.text
            game = answer.json()
            answers.append(game)
    return game["id"], answers


def test_two_workers_and_many_players_lose_no_move_and_answer_no_error(tmp_path: Path) -> None:
    everybody = threading.Barrier(PLAYERS)
    with started(tmp_path / "data", workers=2) as program, ThreadPoolExecutor(PLAYERS) as pool:
        played = list(pool.map(lambda _: play(program.url, everybody), range(PLAYERS)))
    store = Store.open(tmp_path / "data" / DATABASE_FILE)
    with store.reading() as tx:
        logs = {row.id: (row, moves) for row, moves in tx.all_games()}
    store.close()
    assert len(logs) == PLAYERS
    for game_id, answers in played:
        row, moves = logs[game_id]
        assert [answer["version"] for answer in answers] == list(range(1, 3 * TURNS + 1))
        assert len(moves) == 3 * TURNS
        assert replay(row, moves).state.card.total == answers[-1]["seats"][0]["total"]


def test_two_hundred_clients_that_never_finish_their_request_hinder_nobody(tmp_path: Path) -> None:
    with started(tmp_path / "data") as program, ExitStack() as held:
        for _ in range(200):
            slow = held.enter_context(socket.create_connection(("127.0.0.1", program.port)))
            slow.sendall(b"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nrule")
        with httpx.Client(base_url=program.url, timeout=1) as line:
            assert line.get("/health").text == "ok"
            made = line.post("/games", data={"ruleset": "classic"})
            assert made.status_code == 303
            assert line.post(f"{made.headers['location']}/roll", data={"version": "0"}).status_code == 303
        held.close()
        with httpx.Client(base_url=program.url, timeout=10) as line:
            assert line.get("/").status_code == 200
