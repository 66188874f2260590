"""How many hints were asked for in a game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Count from now on; in the games so far there was nobody to ask."""
    op.add_column("games", sa.Column("hints", sa.Integer, nullable=False, server_default=sa.text("0")))


def downgrade() -> None:
    """Forget the counts."""
    op.drop_column("games", "hints")
