"""Packed logs and shared counters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make room for logs of finished games in their games' rows, and for what several server processes count together."""
    op.create_table(
        "option_sets",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_option_sets"),
    )
    op.add_column("games", sa.Column("packed_log", sa.LargeBinary))
    op.add_column("games", sa.Column("option_set", sa.Text))
    op.drop_index("ix_games_finished_at", "games")
    for column in ("finished_at", "abandoned_at"):
        to_pack = sa.text(f"packed_log IS NULL AND {column} IS NOT NULL")
        op.create_index(f"ix_games_{column}", "games", [column], sqlite_where=to_pack, postgresql_where=to_pack)
    op.create_table(
        "counters",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_counters"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Take both away.

    Raises:
        RuntimeError: a log is packed; without its column it would be lost.

    """
    if op.get_bind().scalar(sa.text("SELECT count(*) FROM games WHERE packed_log IS NOT NULL")):
        raise RuntimeError("Logs are packed in games.packed_log; they would be lost.")
    op.drop_table("counters")
    op.drop_index("ix_games_abandoned_at", "games")
    op.drop_index("ix_games_finished_at", "games")
    op.create_index("ix_games_finished_at", "games", ["finished_at"])
    op.drop_column("games", "option_set")
    op.drop_column("games", "packed_log")
    op.drop_table("option_sets")
