"""Signing out other devices, and ids that became another player's."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Begin to count; cookies of before are those of generation 0."""
    op.add_column("players", sa.Column("generation", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.create_table(
        "aliases",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_aliases"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_aliases_player_id_players", ondelete="CASCADE"),
    )
    op.create_index("ix_aliases_player_id", "aliases", ["player_id"])


def downgrade() -> None:
    """Forget them: a device that was signed out would be signed in again."""
    op.drop_table("aliases")
    op.drop_column("players", "generation")
