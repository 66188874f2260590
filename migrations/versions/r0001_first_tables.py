"""The first tables: players, tokens, games, seats, moves, secrets."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    _players()
    _games()
    _logs()
    op.create_table(
        "secrets",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )


def downgrade() -> None:
    """Take the tables away."""
    for table in ("secrets", "moves", "seats", "games", "tokens", "players"):
        op.drop_table(table)


def _players() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("name_skeleton", sa.Text),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("deleted_at", _MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("name_skeleton", name="uq_players_name_skeleton"),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("used_at", _MOMENT),
        sa.Column("expires_at", _MOMENT),
        sa.PrimaryKeyConstraint("hash", name="pk_tokens"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_tokens_player_id_players", ondelete="CASCADE"),
    )
    op.create_index("ix_tokens_player_id", "tokens", ["player_id"])


def _games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("dice_version", sa.Integer, nullable=False),
        sa.Column("addressing", sa.Text, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("corrections", sa.Boolean, nullable=False),
        sa.Column("shared_dice", sa.Boolean, nullable=False),
        sa.Column("first_seat", sa.Integer, nullable=False),
        sa.Column("finished_at", _MOMENT),
        sa.Column("abandoned_at", _MOMENT),
        sa.Column("assisted", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.CheckConstraint("finished_at IS NULL OR abandoned_at IS NULL", name=op.f("ck_games_one_end")),
    )
    op.create_index("ix_games_finished_at", "games", ["finished_at"])


def _logs() -> None:
    op.create_table(
        "seats",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Text),
        sa.Column("computer", sa.Text),
        sa.Column("score", sa.Integer),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seats"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seats_game_id_games", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_seats_player_id_players"),
        sa.CheckConstraint("seat >= 0", name=op.f("ck_seats_seat_from_0")),
        sa.CheckConstraint("player_id IS NULL OR computer IS NULL", name=op.f("ck_seats_one_sitter")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seats_player_id_game_id", "seats", ["player_id", "game_id"])
    op.create_table(
        "moves",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_moves"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_moves_game_id_games", ondelete="CASCADE"),
        sa.CheckConstraint("seq >= 1", name=op.f("ck_moves_seq_from_1")),
        sqlite_with_rowid=False,
    )
