# Everything a newcomer types. Each target sets up what it needs; none needs another first.

PYTHON ?= python3
BIN := .venv/bin
comma := ,
RUST := $(shell find crates -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock

.PHONY: demo test newcomer browser wheel tools slow fuzz check format bench docs size snapshots mutants clean
# Tests run side by side in so many processes.
WORKERS ?= 2
CARGO_MUTANTS := 27.1.0


demo: .venv/installed
	@test -e demo-campaign || $(BIN)/assay demo --copy demo-campaign
	@$(BIN)/assay demo
	@printf '%s\n' '' 'Type $(BIN)/assay, or assay once this has put it on the path:' '' \
	  '  export PATH="$(CURDIR)/$(BIN):$$PATH"' '' 'The campaign of these commands is the folder demo-campaign.'

test: .venv/developing
	cargo test --quiet --workspace --exclude assay-python
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal

# What a newcomer types: make demo and make test in fresh clones, then every command of README and getting started.
newcomer:
	$(PYTHON) scripts/newcomer.py

# Pages in Chromium, with hostile names for everything.
browser: .venv/developing
	$(BIN)/python -m pytest -m browser -rs --numprocesses $(WORKERS) --dist worksteal

# One wheel for Python 3.11 and later, and the source, into dist/; then both are looked at, and the wheel is tried
# in an empty environment without Rust.
wheel: .venv/developing
	rm -rf dist
	$(BIN)/maturin build --release --strip --out dist
	$(BIN)/maturin sdist --out dist
	$(BIN)/python -m pytest -m wheel -rs

# What tests want beside Python and Rust: a browser and LaTeX, from Debian's packages.
tools:
	@if command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ]; then \
	  command -v chromium > /dev/null && command -v pdflatex > /dev/null || \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium texlive-latex-recommended; }; \
	else echo "make tools installs Chromium and pdflatex on Debian, as root; elsewhere install them yourself."; fi

# Lines and files per room, and how many functions stand between a file and a printed number.
size: .venv/developing
	$(BIN)/python scripts/size.py

# Simulations that take minutes.
slow: .venv/developing
	$(BIN)/python -m pytest -m slow

# Random files, metric strings, input to kernels, Python calls and names, for so many seconds: each comes to something
# sound, or is refused in words. KIND=names for one kind alone.
fuzz: .venv/developing
	cd tests && PYTHONPATH=. ../$(BIN)/python -m fuzz $(or $(SECONDS),60) $(or $(SEED),1) $(KIND)

# What commands print, written anew; shows what changed.
snapshots: .venv/developing
	cd tests && ../$(BIN)/python -m snapshots

check: .venv/developing
	cargo fmt --check
	cargo clippy --quiet --workspace --all-targets -- -D warnings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/generate_docs.py --check

format: .venv/developing
	cargo fmt
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/developing
	$(BIN)/python -m benchmarks

docs: .venv/developing
	$(BIN)/python scripts/generate_docs.py

# Small changes to the code, and whether a test fails: a seeded sample of a room, or of all rooms and the kernels.
mutants: .venv/mutants/developing
	PATH="$(CURDIR)/.venv/mutants/bin:$$PATH" .venv/mutants/bin/python scripts/mutants.py $(ROOM) $(if $(NUMBER),--number $(NUMBER)) \
	  --seed $(or $(SEED),1) --workers $(WORKERS)

clean:
	rm -rf .venv target

# An environment with the package as $(1), used in place; says what it is at, and keeps the whole in .venv/setup.log.
define SET_UP
	@echo 'Setting up .venv: packages, then the kernels are compiled; two to five minutes on a fresh machine.'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@{ $(BIN)/python -m pip install --verbose --disable-pip-version-check --editable '$(1)' 2>&1; echo $$? > .venv/setup.code; } \
	  | tee .venv/setup.log | grep --line-buffered -oE '^ *(Collecting|Compiling|Building editable for|Installing collected) [^ ]+' \
	  || true
	@test "$$(cat .venv/setup.code)" = 0 || { tail -n 40 .venv/setup.log; exit 1; }
	@$(BIN)/python -m compileall -q src || true
endef

# The package with all extras, as a user installs it; built anew when Rust changes, and Python is used in place.
.venv/installed: pyproject.toml $(RUST)
	$(call SET_UP,.[all])
	@touch $@

# With everything that tests and checks need.
.venv/developing: pyproject.toml $(RUST)
	$(call SET_UP,.[dev$(comma)peers])
	@touch $@ .venv/installed

# For mutants alone: mutmut's changes and coverage, and cargo-mutants beside them.
.venv/mutants/developing: pyproject.toml $(RUST)
	test -x .venv/mutants/bin/python || $(PYTHON) -m venv .venv/mutants
	.venv/mutants/bin/python -m pip install --quiet --editable '.[dev,peers,mutants]'
	test -x .venv/mutants/bin/cargo-mutants || \
	  cargo install --quiet --locked --version $(CARGO_MUTANTS) --root .venv/mutants cargo-mutants
	touch $@
