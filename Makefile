# Any Python from 3.11 on makes the environments; everything else runs inside them.
ifndef PYTHON
PYTHON := $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.version_info >= (3, 11) or sys.exit(1); print(sys.executable)' 2>/dev/null && break; done)
endif
PY = .venv/bin/python
# A test run and a start of the hub are dozens of processes that import the same packages: they keep the bytecode.
unexport PYTHONDONTWRITEBYTECODE
TEMPLATES = $(shell find templates reviewhub -name '*.html')

.PHONY: setup run test test-long verifier-tests eval-stub lint format types imports check clean

setup: ## make .venv with all that running and testing need, and fetch the model
	@test -n "$(PYTHON)" || { echo "reviewhub: no Python from 3.11 on was found. On Debian: apt-get install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) -m reviewhub.embedded.setup

run: setup ## set up, prepare the demo, start every process; Ctrl-C stops all of them
	@exec $(PY) -m reviewhub.embedded

# Processes with servers of their own; a file's tests stay in one of them (tests/conftest.py). The first run has three on
# two cores, as one of them mostly waits: for whole hubs to start, for leases to end, for a browser, for a model.
test: setup ## every test with real parts, the hub's on SQLite and what reaches the database on PostgreSQL again
	$(PY) -m pytest --numprocesses 3 --dist loadfile
	$(PY) -m pytest tests/hub --database postgresql --numprocesses 2 --dist loadfile

test-long: setup ## what takes long: many drafts of the grammar, and leaks over mails of ten countries
	HYPOTHESIS_PROFILE=long $(PY) -m pytest tests/agent/test_verifier_grammar.py
	$(PY) -m tests.memory.leaks

# Without the tests of model servers and downloads, which wait for timeouts: `make test` has them. Three processes of
# pytest and each command they start read the same compiled modules, kept beside the light installation; pytest takes no
# plugin but xdist, so that it rewrites the tests alone.
verifier-tests: ## facts, verifier, loop and teeth in a light installation: no network, key or GPU
	@$(PYTHON) -m reviewhub.embedded.setup --light
	PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(CURDIR)/.venv-light/compiled PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 \
		.venv-light/bin/python -m pytest -p xdist tests/agent --numprocesses 2 --dist worksteal -m "not real_model" \
		--ignore-glob "tests/agent/test_llm_*" --ignore tests/agent/test_fetch.py

eval-stub: ## teeth, the study, the judge's calibration and the support check in a light installation, without a model
	@$(PYTHON) -m reviewhub.embedded.setup --light
	.venv-light/bin/python -m agent teeth
	.venv-light/bin/python -m agent study
	.venv-light/bin/python -m agent calibrate --labels fixtures/labelled/judge/embedded.json
	.venv-light/bin/python -m tests.bench.support --model none fixtures/labelled/support/tune.json

lint: setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	.venv/bin/djade --target-version 5.2 --check $(TEMPLATES)

format: setup
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	.venv/bin/djade --target-version 5.2 $(TEMPLATES)

types: setup
	$(PY) -m mypy

imports: setup
	.venv/bin/lint-imports

check: lint types imports test ## what .ci/run does, on a machine that has the servers

clean: ## forget environments and caches, keep var/
	rm -rf .venv .venv-light .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis *.egg-info
