"""Run every measurement, or those named: `python -m bench moves solver`."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import bench


def main() -> int:
    """Run the measurements and print what they find."""
    known = sorted(module.name for module in pkgutil.iter_modules(bench.__path__) if not module.name.startswith("_"))
    wanted = sys.argv[1:] or [name for name in known if hasattr(importlib.import_module(f"bench.{name}"), "main")]
    for name in wanted:
        if name not in known:
            print(f"There is no measurement {name!r}; there are {', '.join(known)}.", file=sys.stderr)
            return 2
        print(f"== {name}", flush=True)
        importlib.import_module(f"bench.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
