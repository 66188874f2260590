"""Days and counted attempts; the day of a game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables; no game so far belongs to a day."""
    op.add_column("games", sa.Column("day", sa.Date))
    op.add_column("games", sa.Column("tallied", sa.Boolean, nullable=False, server_default=sa.false()))
    # Only what waits to be counted is in this index, so that finding it takes no time.
    waiting = sa.text("NOT tallied AND finished_at IS NOT NULL AND day IS NULL")
    op.create_index("ix_games_to_tally", "games", ["finished_at"], sqlite_where=waiting, postgresql_where=waiting)
    op.create_table(
        "days",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("dice_version", sa.Integer, nullable=False),
        sa.Column("addressing", sa.Text, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.Column("published_at", _MOMENT, nullable=False),
        sa.Column("par", sa.Integer),
        sa.Column("best", sa.Integer),
        sa.Column("best_line", sa.Text),
        sa.Column("excused", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("tallied", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("day", "ruleset", name="pk_days"),
    )
    op.create_table(
        "entries",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("total", sa.Integer),
        sa.Column("finished_at", _MOMENT),
        sa.PrimaryKeyConstraint("day", "ruleset", "player_id", name="pk_entries"),
        sa.ForeignKeyConstraint(["day", "ruleset"], ["days.day", "days.ruleset"], name="fk_entries_day_days"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_entries_player_id_players"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_entries_game_id_games", ondelete="CASCADE"),
        sa.UniqueConstraint("game_id", name="uq_entries_game_id"),
    )
    op.create_index("ix_entries_board", "entries", ["day", "ruleset", "hidden", "total", "finished_at", "game_id"])
    op.create_index("ix_entries_player_id_ruleset", "entries", ["player_id", "ruleset"])
    op.create_table(
        "tallies",
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("face", sa.Integer, nullable=False),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("who", "face", name="pk_tallies"),
    )


def downgrade() -> None:
    """Take the tables away; games of a day lose it."""
    op.drop_table("tallies")
    op.drop_index("ix_games_to_tally", "games")
    op.drop_column("games", "tallied")
    op.drop_table("entries")
    op.drop_table("days")
    op.drop_column("games", "day")
