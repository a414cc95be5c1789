# Everything a person types. `make run` and `make test` need python3 (3.11 or later), its pip, make and git: nothing else.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DEFAULT_GOAL := help

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2
PROCESSES ?= 2
STRICT ?=
WITH_SLOW ?=
UPGRADE ?=
OPENING ?=
PHONE ?=
export HOST PORT WORKERS STRICT

BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
TOOLS_READY := .venv/.tools-ready
RUN_READY := .venv/.run-ready
SENTRY_READY := .venv/.sentry-ready
DEV_READY := .venv/.dev-ready
READERS := tests/calendars/readers
READERS_READY := $(READERS)/node_modules/.package-lock.json
STATIC_READY := var/.static-ready
STATIC_SOURCES := $(shell find events/static -type f 2>/dev/null)
# A shell with settings for a real site in it tests the same project as any other.
# Compiled tests are collected in a third of the time.
PLAIN := env -u PYTHONDONTWRITEBYTECODE -u SITE_URL -u ALLOWED_HOSTS -u BEHIND_PROXY -u TRUSTED_PROXIES -u ADMIN_PATH -u REQUIRE_SECOND_FACTOR -u SECURITY_CONTACT -u DEBUG -u LOG_LEVEL -u LOG_FORMAT -u METRICS_TOKEN -u SENTRY_DSN -u HSTS_SUBDOMAINS -u CACHE_URL -u MEDIA_ROOT -u UPLOAD_ROOT -u ADMINS -u HOST -u PORT
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate $(UPGRADE)

.PHONY: help run install serve test test-slow test-all test-deploy bench bench-opening bench-phone pictures check lint format types contracts lock clean

help: ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name words; do printf '  make %-13s %s\n' "$$name" "$$words"; done

run: install ## load missing seeds, create an organiser if there is none, and serve
	@$(MANAGE) seed --missing
	$(MANAGE) make_organiser
	$(MAKE) serve

install: $(RUN_READY) $(if $(SENTRY_DSN),$(SENTRY_READY)) $(STATIC_READY) ## create the environment, collect static files and migrate the database
	@$(MANAGE) migrate --verbosity 0
	# Files of a version that let others on this machine read them.
	find var -user "$$(id -u)" -perm /077 ! -type l -exec chmod go= {} +
	# Exports of former databases and addresses. Whatever is still asked for is built again.
	find var -path 'var/exports/*' -type f -ctime +30 -delete

# Ctrl+C reaches a whole process group, and a server whose workers hear it too may never end: it gets a group of its own and is told once.
serve: ## start the server on HOST:PORT
	@set -m
	deploy/serve &
	set +m
	trap "kill -TERM $$! 2>/dev/null || true" INT TERM
	wait $$! && status=0 || status=$$?
	# More than 128: the signal was ours, and the server is about to end.
	if [ $$status -gt 128 ]; then wait $$! || true; fi
	exit $$status

TEST_READY := $(DEV_READY) $(if $(shell command -v npm),$(READERS_READY))
SHORT := $(if $(WITH_SLOW),,not slow and )not exhaustive and not deploy
SLOW := slow and not exhaustive and not deploy

# On DATABASE_URL (SQLite) the tests that the first expression of marks selects, then on PostgreSQL those of the second.
define RUN_TESTS
@run=($(PLAIN) $(BIN)/pytest -n $(PROCESSES) --dist worksteal --durations 10 $(3))
"$${run[@]}" -m "$(1)"
if [[ "$${DATABASE_URL:-}" == postgres* ]]; then exit 0; fi
if url="$$($(BIN)/python .ci/postgres_url.py)"; then
  echo; echo "Again on PostgreSQL:"
  DATABASE_URL="$$url" "$${run[@]}" -m "$(2)"
elif [ -n "$(STRICT)" ]; then
  echo "STRICT: the tests did not run on PostgreSQL." >&2; exit 1
fi
endef

test: $(TEST_READY) ## run the tests on DATABASE_URL (SQLite), then on PostgreSQL those that can differ; STRICT=1 fails if one is missing, WITH_SLOW=1 adds those of test-slow
	$(call RUN_TESTS,$(SHORT),$(SHORT) and both_databases)

test-slow: $(TEST_READY) ## run the slow tests that make test leaves out: many threads, huge files, killed processes
	$(call RUN_TESTS,$(SLOW),$(SLOW) and both_databases)

test-all: $(TEST_READY) ## run every test on both databases, every combination, 300 examples of each property
	$(call RUN_TESTS,not deploy,not deploy,--hypothesis-profile long)

# First those that count no seconds, some at once; then the others, one at a time.
test-deploy: $(DEV_READY) $(STATIC_READY) ## run the server behind Caddy and nginx, as deploy/ has them, with hundreds of slow clients
	@run=($(PLAIN) $(BIN)/pytest --durations 10 tests/deploy)
	"$${run[@]}" -n $(PROCESSES) --dist loadfile -m "deploy and not alone"
	"$${run[@]}" -n 0 -m "deploy and alone"

bench: $(DEV_READY) $(STATIC_READY) ## measure the most visited pages, on a separate SQLite database
	@$(PLAIN) $(BIN)/python -m tests.benchmarks.measure

bench-opening: $(DEV_READY) $(STATIC_READY) ## measure an opening morning of 500 visitors on SQLite and PostgreSQL; OPENING="--part memory" for a part
	@$(PLAIN) $(BIN)/python -m tests.benchmarks.opening $(OPENING)

bench-phone: $(DEV_READY) $(STATIC_READY) ## measure pages on a phone: Chromium, slowed; PHONE="--pages agenda" for some of them
	@$(PLAIN) $(BIN)/python -m tests.benchmarks.phone $(PHONE)

pictures: $(DEV_READY) $(STATIC_READY) ## take the pictures of docs/organisers.md again, with Chromium
	@$(PLAIN) $(BIN)/python -m tests.screenshots

check: lint types contracts ## lint, types and contracts

lint: $(DEV_READY) ## ruff and djade, changing nothing
	@$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	git ls-files -z -- 'templates/*.html' | xargs -0 --no-run-if-empty $(BIN)/djade --target-version 5.2 --check

format: $(DEV_READY) ## ruff and djade, changing files
	@$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	git ls-files -z -- 'templates/*.html' | xargs -0 --no-run-if-empty $(BIN)/djade --target-version 5.2 || true

types: $(DEV_READY) ## mypy
	@$(BIN)/mypy

contracts: $(DEV_READY) ## check that imports point down without circles, and that names are defined once
	@$(BIN)/lint-imports --no-logo
	$(BIN)/python .ci/names.py

lock: $(DEV_READY) ## write the locks from pyproject.toml; UPGRADE=--upgrade for the newest versions
	@$(BIN)/$(LOCK) pyproject.toml --output-file requirements.txt
	$(BIN)/$(LOCK) --group environment --output-file requirements-environment.txt
	$(BIN)/$(LOCK) pyproject.toml --group dev --constraint requirements.txt --output-file requirements-dev.txt
	$(BIN)/$(LOCK) --group sentry --constraint requirements-dev.txt --output-file requirements-sentry.txt

clean: ## remove the environment and caches, not the database, its key and its photos
	@rm -rf .venv $(READERS)/node_modules var/static $(STATIC_READY) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

# Debian splits ensurepip from python3: there the environment is made without pip, and the system's pip fills it.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Hallway needs Python 3.11 or later; say which: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv >/dev/null 2>&1 || $(PYTHON) -m venv --clear --without-pip .venv

define INSTALL
@echo "Installing $<"
if $(BIN)/python -m pip --version >/dev/null 2>&1; then pip=($(BIN)/python -m pip); else pip=($(PYTHON) -m pip --python $(BIN)/python); fi
"$${pip[@]}" install --quiet --disable-pip-version-check --require-hashes --requirement $<
touch $@
endef

# First pip, which installs the others.
$(TOOLS_READY): requirements-environment.txt | $(BIN)/python
	$(INSTALL)

# What the tests need includes what running needs, in the same versions.
$(RUN_READY): requirements.txt | $(TOOLS_READY)
	$(INSTALL)

# For SENTRY_DSN, and only where it is set.
$(SENTRY_READY): requirements-sentry.txt $(RUN_READY) | $(TOOLS_READY)
	$(INSTALL)

$(DEV_READY): requirements-dev.txt | $(TOOLS_READY)
	$(INSTALL)
	touch $(RUN_READY) $(SENTRY_READY)

# Two readers of calendars, for machines that have node. Where they cannot be had, the tests say so and go on.
$(READERS_READY): $(READERS)/package-lock.json
	@echo "Installing $<"
	if npm ci --prefix $(READERS) --ignore-scripts --no-audit --no-fund --fetch-retries 1 --silent; then touch $@; fi

# DEBUG would leave out the manifest that the pages ask for.
$(STATIC_READY): $(STATIC_SOURCES) $(RUN_READY)
	@DEBUG=false $(MANAGE) collectstatic --noinput --verbosity 0
	touch $@
