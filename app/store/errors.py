"""What can go wrong with the store.

StoreError
├── StoreUnavailable    the database cannot be used now; the message is a sentence for whoever runs the server
│   ├── NewerSchema     it was made by a later version of this program
│   ├── OlderSchema     it has not been migrated yet
│   ├── NotEmpty        it would have to be empty
│   └── ReadOnly        nothing is changed for the time being
├── BadPack             a packed log cannot be read, or a log not be packed
├── Contradiction       a row does not fit the others: an unknown player, a name in use
└── Taken               another writer was first
"""

from __future__ import annotations


class StoreError(Exception):
    """Anything the store refuses."""


class StoreUnavailable(StoreError):
    """The database cannot be opened, read or written now; nothing was stored."""


class NewerSchema(StoreUnavailable):
    """The database was made by a later version of the program."""


class OlderSchema(StoreUnavailable):
    """The database has not been migrated to this version yet."""


class NotEmpty(StoreUnavailable):
    """Somebody has played in a database that would have to be empty."""


class ReadOnly(StoreUnavailable):
    """Nothing is changed for the time being, as the settings say."""


class BadPack(StoreError):
    """A packed log that cannot be read, or a log that cannot be packed."""


class Contradiction(StoreError):
    """A row does not fit the others: it names a player or a game that is not there, or repeats what must be unique."""


class Taken(StoreError):
    """The entry of this number is in the game's log already; the transaction can go on."""

    def __init__(self, game_id: str, seq: int) -> None:
        """Take the game and the number of the entry."""
        super().__init__(f"Entry {seq} of game {game_id} is taken.")
        self.game_id = game_id
        self.seq = seq
