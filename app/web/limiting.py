"""How often somebody may do what costs the server or other people something; counted in the database, for all processes together.

Nobody on this machine itself is counted: there the whole household, or a test, may be one address.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

from fastapi import Request
from limits import RateLimitItem, parse_many

from app.clock import Clock
from app.store import Store

_ADDRESS_BITS = 64
"""What of an IPv6 address stands for one household: the rest changes daily, and by itself."""


class TooOftenError(Exception):
    """Somebody did something too often; the next try is welcome in so many `seconds`."""

    def __init__(self, seconds: int) -> None:
        """Take the whole seconds to wait, at least 1."""
        super().__init__()
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Rate:
    """What is counted, and how often it may be done; `items` are all kept at once."""

    name: str
    items: tuple[RateLimitItem, ...]


def _rate(name: str, often: str) -> Rate:
    return Rate(name, tuple(parse_many(often)))


NEW_PLAYERS: Final = _rate("players", "30/minute; 300/hour")
"""People who play for the first time, from one address."""
GAMES: Final = _rate("games", "60/minute")
"""Games of one player."""
NAMES: Final = _rate("names", "10/hour")
"""Names that one player takes."""
DEVICES: Final = _rate("devices", "10/hour")
"""Links and recovery codes that one player makes."""
CODES: Final = _rate("codes", "10/hour")
"""Wrong recovery codes from one address."""


@dataclass(frozen=True)
class Limiter:
    """Keeps the rates, by counters in the database that begin anew when their time is over.

    `on`: whether anybody is counted at all; `make_salt` makes the secret that addresses are hashed with.
    """

    store: Store
    clock: Clock
    on: bool
    make_salt: Callable[[], bytes]

    def count(self, rate: Rate, request: Request, player: str | None = None) -> None:
        """Count one more by this player or, without one, from the address that the request comes from.

        Raises:
            TooOftenError: there have been too many.
            StoreUnavailable: the database cannot be written.

        """
        if not self.counts(request):
            return
        wait = self._add(1, rate, self._who(request, player))
        if wait is not None:
            raise TooOftenError(max(1, round(wait.total_seconds())))

    def take_back(self, rate: Rate, request: Request, player: str | None = None) -> None:
        """Take the last count back, of something that turned out to be right."""
        if self.counts(request):
            self._add(-1, rate, self._who(request, player))

    def _add(self, amount: int, rate: Rate, who: str) -> timedelta | None:
        """Count in one transaction; give how long a counter that has gone over its rate still stands, None where none has."""
        now = self.clock()
        with self.store.writing() as tx:
            for item in rate.items:
                name = item.key_for(rate.name, who)
                if tx.count(name, amount, now, now + timedelta(seconds=item.get_expiry())) > item.amount:
                    found = tx.counter(name, now)
                    return found[1] - now if found else timedelta()
        return None

    def counts(self, request: Request) -> bool:
        """Tell whether the one who sends this request is counted."""
        return self.on and not is_at_home(_host(request))

    def _who(self, request: Request, player: str | None) -> str:
        """Name a player or an address such that the database does not tell who it was."""
        who = player or _household(_host(request))
        return hmac.new(self._salt, who.encode(), hashlib.sha256).hexdigest()[:32]

    @cached_property
    def _salt(self) -> bytes:
        with self.store.writing() as tx:
            return tx.secret("addresses", self.make_salt, self.clock())


class Nearness:
    """Tells whether a request comes from this machine itself or from the network of a trusted proxy, and not through one."""

    def __init__(self, trusted: tuple[str, ...]) -> None:
        """Take the addresses and networks of the proxies."""
        self._networks = [ip_network(one) for one in trusted]

    def __call__(self, request: Request) -> bool:
        """Look at where it comes from; what a proxy passed on is from afar, wherever that proxy stands."""
        if any(header in request.headers for header in ("x-forwarded-for", "forwarded", "via")):
            return False
        host = _host(request)
        try:
            return is_at_home(host) or any(_plain(host) in network for network in self._networks)
        except ValueError:
            return False


def is_at_home(host: str) -> bool:
    """Tell whether an address is this machine's own."""
    try:
        return _plain(host).is_loopback
    except ValueError:
        # A test's or a Unix socket's: no network brought it.
        return not host


def _host(request: Request) -> str:
    return request.client.host if request.client else ""


def _plain(host: str) -> IPv4Address | IPv6Address:
    address = ip_address(host.partition("%")[0])
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _household(host: str) -> str:
    try:
        address = _plain(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _ADDRESS_BITS), strict=False))
    return str(address)
