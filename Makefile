# `make run` plays, `make test` proves. Everything else is a part of these two, or a measurement.
.PHONY: install install-dev browser run test check format messages transcripts strength pictures icons looks bench quality audit lock

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input
COMPILE := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --quiet $(ARGS)

# What running needs. The files .venv/.* are stamps: nothing is repeated while the locks and the catalogues stay the same.
install: .venv/.catalogues

# What testing needs too. requirements-dev.lock contains all of requirements.lock, with the same versions.
install-dev: .venv/.dev

.venv/.made:
	@$(PYTHON) tools/can_make_venv.py
	$(PYTHON) -m venv .venv
	@touch $@

.venv/.runtime: requirements.lock pyproject.toml | .venv/.made
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-index --no-deps --no-build-isolation -e .
	@touch $@

# The translations as the server reads them.
.venv/.catalogues: $(wildcard app/locale/*/LC_MESSAGES/fairwind.po) tools/catalogues.py .venv/.runtime
	@$(BIN)/python -m tools.catalogues compile
	@touch $@

.venv/.dev: requirements-dev.lock .venv/.catalogues
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

.venv/.bench: requirements-bench.lock .venv/.dev
	$(PIP) --require-hashes -r requirements-bench.lock
	@touch $@

# The browsers of the tests; does nothing when they are there.
browser: install-dev
	@$(BIN)/python -m tools.get_browser

run: install
	@$(BIN)/fairwind serve

test: install-dev browser check
	$(BIN)/pytest --numprocesses=auto --dist=worksteal

check: install-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/djlint templates --lint --quiet

# What `make check` would ask for, done.
format: install-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# New texts into the catalogues, and texts that are gone out of them; `make messages ADD=sv` begins a catalogue for Swedish.
messages: install-dev
	$(BIN)/python -m tools.catalogues update $(if $(ADD),--add $(ADD))
	@$(BIN)/python -m tools.catalogues compile

# The golden games in tests/transcripts, written anew: read the difference before you commit it.
transcripts: install-dev
	$(BIN)/python -m tools.transcripts

# How strong best play and the computer players are, into docs/strength.md: from the tables, made where they are missing, and
# from what `python -m tools.calibrate` measured.
strength: install
	$(BIN)/python -m tools.strength

bench: .venv/.bench
	$(BIN)/python -m bench

# Every page as a picture, light and dark, narrow and wide, below pictures/ for eyes.
pictures: install-dev browser
	$(BIN)/python -m tools.pictures

# The icon of static/icon.svg as pictures, for what takes no SVG.
icons: install-dev browser
	$(BIN)/python -m tools.icons

# The programs that look at the pages; they need Node and npm, and nothing else here does.
.node/.made: tools/package.json
	@mkdir -p .node
	@cp tools/package.json .node/package.json
	npm install --prefix .node --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# How good the pages are: whether they look as they did, then axe, html-validate and Lighthouse on them, with a table.
looks: install-dev browser .node/.made
	$(BIN)/python -m tools.likeness
	$(BIN)/python -m tools.quality

# Long runs: the pages; many more random games than `make test` plays; and whether the tests notice a changed core.
quality: looks
	$(BIN)/pytest --hypothesis-profile=thorough
	$(BIN)/mutmut run
	$(BIN)/mutmut results

# What is known of weaknesses in the locked packages; it asks a service on the internet and so is no part of `make test`.
audit: install-dev
	$(BIN)/pip-audit --requirement requirements.lock --require-hashes --disable-pip --strict

# New pins only where pyproject.toml asks for them; `make lock ARGS=--upgrade` takes the newest of everything.
lock: install-dev
	$(COMPILE) pyproject.toml --extra postgres --group build -o requirements.lock
	$(COMPILE) pyproject.toml --extra postgres --group build --group dev -c requirements.lock -o requirements-dev.lock
	$(COMPILE) --group bench -c requirements.lock -o requirements-bench.lock
