"""Whether one die each decided who begins."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Note it from now on; of the games so far it is not known, so nothing is claimed of them."""
    op.add_column("games", sa.Column("thrown", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Forget it."""
    op.drop_column("games", "thrown")
