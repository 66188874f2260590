"""What a move is measured against: the least that a FastAPI route with a form, a database and a template can do.

It parses the same two-field form, does one SELECT by primary key and one INSERT in one IMMEDIATE transaction with the same
settings of SQLite, and renders a plain template of the table's size with one loop and escaping on.
"""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Annotated

from fastapi import FastAPI, Form
from fastapi.responses import HTMLResponse
from jinja2 import Environment
from pydantic import BaseModel
from sqlalchemy import Column, Integer, MetaData, Table, Text, bindparam, insert, select

from app.store.engine import engine_for_writing, open_engine

ROWS = 40
PAGE = """<section id="table"><h1>{{ title }}</h1><ul>
{% for row in rows %}
<li class="box"><button name="box" value="{{ row.name }}">{{ row.name }}</button> <b>{{ row.points }}</b>{{ filler }}</li>
{% endfor %}</ul></section>
"""


class MoveForm(BaseModel):
    """The two fields of a roll."""

    version: int
    keep: list[int] = []


def create_app() -> FastAPI:
    """Make the application on a database and with a page size that the environment names."""
    engine = open_engine(Path(os.environ["BASELINE_DATA"]) / "baseline.sqlite3", "FULL")
    metadata = MetaData()
    games = Table("games", metadata, Column("id", Text, primary_key=True), Column("state", Text))
    moves = Table(
        "moves",
        metadata,
        Column("game_id", Text, primary_key=True),
        Column("seq", Integer, primary_key=True),
        Column("move", Text),
    )
    metadata.create_all(engine)
    with engine_for_writing(engine).begin() as connection:
        connection.execute(insert(games), [{"id": f"g{n}", "state": "x" * 100} for n in range(2000)])
    writer = engine_for_writing(engine)
    find = select(games.c.id, games.c.state).where(games.c.id == bindparam("game"))
    add = insert(moves)
    template = Environment(autoescape=True).from_string(PAGE)
    filler = "." * max(0, (int(os.environ["BASELINE_BYTES"]) - 4000) // ROWS)
    rows = [{"name": f"box {n}", "points": n} for n in range(ROWS)]
    seqs = count(1)
    turn = Lock()
    app = FastAPI()

    @app.post("/games/{game_id}/roll")
    def roll(game_id: str, form: Annotated[MoveForm, Form()]) -> HTMLResponse:
        # One writer at a time within the process, as in our store: left to SQLite, threads find out by polling.
        with turn, writer.begin() as connection:
            connection.execute(find, {"game": game_id}).one()
            connection.execute(add, {"game_id": game_id, "seq": next(seqs), "move": f"r{form.keep}"})
        return HTMLResponse(template.render(title=game_id, rows=rows, filler=filler))

    return app
