# Needs only python3 (3.11 or later) and make. Everything is installed into .venv, from requirements/dev.lock.

# The first interpreter that runs and is new enough; a name on PATH may be a shim that fails.
OLD_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c '$(OLD_ENOUGH)' >/dev/null 2>&1 && { echo $$p; break; }; done)

VERSIONS := 3.11 3.12 3.13
VENV := .venv
BIN := $(VENV)/bin
OUT := build
COMPILED := $(OUT)/compiled/venv/bin/python
WORKERS ?= 2
FAST := not slow and not soak and not shared
PIP := -m pip --disable-pip-version-check --no-input

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all test-others test-compiled soak check wheel compiled bench lock clean

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /|/' | awk -F'|' '{printf "  make %-14s %s\n", $$1, $$2}'

setup: $(VENV)/.ready ## make .venv and install the package in it

$(VENV)/.ready: requirements/dev.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "trayecto needs Python 3.11 or later; none was found. Set PYTHON=/path/to/python3." >&2; exit 2; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python $(PIP) install --quiet --require-hashes -r requirements/dev.lock
	$(BIN)/python $(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@

demo: setup ## score the shipped example and print the report
	@$(BIN)/trayecto demo

test: setup ## core tests, at most five minutes
	@echo "make test skips by name: 'shared' (needs ../shared), 'slow' (make test-all), 'soak' (make soak)"
	$(BIN)/python -m pytest -q -n $(WORKERS) -m "$(FAST)"

test-all: setup ## every test but soak, with coverage, then the core tests on each other Python found
	@mkdir -p $(OUT)
	$(BIN)/python -m pytest -q -n $(WORKERS) -m "not soak" -rs --cov --cov-report=term --junitxml=$(OUT)/test-all.xml
	@$(MAKE) --no-print-directory test-others

test-others: setup ## the core tests on each other supported Python found on this machine
	@for version in $(VERSIONS); do \
		test $$version = $$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])') && continue; \
		found=; \
		for p in python$$version $${PYENV_ROOT:-$$HOME/.pyenv}/versions/$$version.*/bin/python3; do \
			$$p -c '$(OLD_ENOUGH)' >/dev/null 2>&1 && { found=$$p; break; }; \
		done; \
		if test -z "$$found"; then echo "Python $$version: not tested, no working python$$version was found"; continue; fi; \
		echo "Python $$version: core tests"; \
		$(MAKE) --no-print-directory test VENV=.venv-$$version PYTHON="$$found" || exit 1; \
	done

soak: setup ## long tests: kills, fuzz, many frameworks
	@$(BIN)/python -m pytest -q -m soak; code=$$?; \
		if test $$code -eq 5; then echo "there is no soak test yet"; else exit $$code; fi

check: setup ## lint, format, types, floors and the wheel
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	@$(MAKE) --no-print-directory wheel

wheel: setup ## build the wheel into build/wheel
	@rm -rf $(OUT)/wheel
	$(BIN)/python $(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir $(OUT)/wheel .

compiled: $(OUT)/compiled/.ready ## build the wheel with its hot rooms compiled, into an environment of its own

$(OUT)/compiled/.ready: $(VENV)/.ready hatch_build.py $(shell find src -type f -not -name '*.pyc')
	@rm -rf $(OUT)/compiled
	TRAYECTO_COMPILE=1 $(BIN)/python $(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir $(OUT)/compiled .
	$(BIN)/python -m venv $(OUT)/compiled/venv
	$(COMPILED) $(PIP) install --quiet --require-hashes -r requirements/dev.lock
	$(COMPILED) $(PIP) install --quiet --no-index --no-deps $(OUT)/compiled/*.whl
	@touch $@

test-compiled: compiled ## the core tests on the compiled wheel
	$(COMPILED) -m pytest -q -n $(WORKERS) -m "$(FAST)"

bench: compiled ## time scoring against the bare decoding floor, as source and compiled, and the articles' code
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/stats.py
	-$(BIN)/python benchmarks/score.py --large 0 # for comparison: the goal is the compiled wheel's
	-$(COMPILED) benchmarks/articles.py # its goal is not reached yet: what is missed is told
	$(COMPILED) benchmarks/score.py

LOCK = uv pip compile pyproject.toml --quiet --universal --generate-hashes --no-emit-index-url \
	--no-header --no-annotate

lock: setup ## remake the two lock files (installs uv into build/uv)
	@test -x $(OUT)/uv/bin/uv || { $(BIN)/python -m venv $(OUT)/uv && $(OUT)/uv/bin/python $(PIP) install --quiet uv; }
	$(OUT)/uv/bin/$(LOCK) --upgrade --group dev --output-file requirements/dev.lock >/dev/null
	$(OUT)/uv/bin/$(LOCK) --upgrade --constraint requirements/dev.lock --output-file requirements/core.lock >/dev/null

clean: ## remove everything that make made
	rm -rf .venv .venv-* build dist .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
