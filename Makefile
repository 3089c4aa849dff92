# graphcap: `make run` serves the app, `make test` runs every test. Each sets up what it needs.
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2

BIN := .venv/bin
CHROMIUM ?= /usr/bin/chromium

.PHONY: setup run test check truth attacks format clean

setup: .venv/.ready

.venv/.ready: requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "graphcap needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.txt
	touch $@

.venv/.dev: .venv/.ready tests/requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement tests/requirements.txt
	touch $@

node_modules/.ready: package.json package-lock.json
	npm ci --no-audit --no-fund --silent
	touch $@

$(CHROMIUM):
	sh tests/browser/install-chromium

# Everything on disk lies in the data folder; gunicorn's control socket would lie in the home folder. A node's name may be
# some thousand characters long, and stands in an address.
run: setup
	$(BIN)/gunicorn 'app:create_app()' --bind $(HOST):$(PORT) --workers $(WORKERS) --worker-class gthread --threads 64 --timeout 120 \
		--no-control-socket --limit-request-line 8190

check: .venv/.dev node_modules/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	npx tsc -p .
	$(BIN)/pytest -q tests/test_layers.py

test: .venv/.dev node_modules/.ready $(CHROMIUM)
	npm test --silent
	$(BIN)/pytest -n 2 --dist loadscope

truth: .venv/.dev
	$(BIN)/python -m tests.truth

# Only the list of attacks on the real server and jail, in both tiers.
attacks: .venv/.dev
	$(BIN)/pytest tests/attacks

format: .venv/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv node_modules .graphcap
