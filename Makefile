.PHONY: serve install image wheels test proofs mutants attacks lint bench generated lock clean

BIN := .venv/bin
CONTAINERS := docker
# the distributions of this repository, in the order in which they need each other
DISTRIBUTIONS := packages/convert .
# one more than there are processors: some tests wait for others to answer
WORKERS = $(shell expr `getconf _NPROCESSORS_ONLN` + 1)

# they compare seconds of one process with others of the same, so they may run beside each other
GROWTH := packages/convert/tests tests/read tests/test_patterns.py

# the days on which the references of endpoints changed; it is read to write it anew
CHANGES := src/webquarry/web/docs/changes.json

# compiled once, not by each of the processes that tests start
test proofs mutants: export PYTHONDONTWRITEBYTECODE :=

serve:  ## set up and start the service: make serve ARGS="--sandbox --port 9000"
	@scripts/setup.sh run
	@exec $(BIN)/webquarry serve $(ARGS)

install:  ## put `webquarry` on the PATH, in PREFIX/bin (~/.local, or /usr/local for root): make install PREFIX=/opt/webquarry
	@scripts/setup.sh run
	@scripts/install.sh "$(PREFIX)"

wheels:  ## make the wheels in dist/
	@scripts/setup.sh dev
	@$(BIN)/python -m pip --disable-pip-version-check --quiet wheel --no-deps --no-build-isolation --wheel-dir dist $(DISTRIBUTIONS)

image:  ## build the images webquarry (with Chromium and tesseract) and webquarry:slim; CONTAINERS=podman takes another program
	$(CONTAINERS) build --tag webquarry --build-arg DISTRIBUTIONS="$(DISTRIBUTIONS)" .
	$(CONTAINERS) build --tag webquarry:slim --target slim --build-arg DISTRIBUTIONS="$(DISTRIBUTIONS)" .

test: lint  ## set up and run every check; ARGS go to pytest: make test ARGS="--shuffle 1" takes another order
	@echo "== tests"
	@$(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist loadfile --no-loadscope-reorder $(ARGS)

proofs:  ## what takes an hour or luck: growth of every stage and reader; fifty rendered pages, in peace and while Chromium is killed; large documents on a busy machine; random examples; mutations that no test notices
	@scripts/setup.sh dev
	@$(BIN)/python -m pytest -m long -n $(WORKERS) $(GROWTH) $(ARGS)
	@$(BIN)/python -m pytest -m long $(addprefix --ignore=,$(GROWTH)) $(ARGS)
	@$(BIN)/python -m pytest -m hypothesis --hypothesis-profile random $(ARGS)
	@$(MAKE) --no-print-directory mutants

mutants:  ## change 50 places of the code, one at a time in a copy, and print the changes that no test notices; ARGS: --seed 7, --only src/webquarry/ledger
	@scripts/setup.sh dev
	@PYTHONPATH=tests $(BIN)/python -m mutants $(ARGS)

attacks:  ## attack a server with hostile pages, files and sources, for about 20 minutes; ARGS choose some: make attacks ARGS="--only csv"
	@scripts/setup.sh dev
	@PYTHONPATH=tests:packages/convert/tests $(BIN)/python -m attacks $(ARGS)

lint:
	@scripts/setup.sh dev
	@echo "== lint"
	@$(BIN)/ruff check .
	@echo "== spelling"
	@$(BIN)/typos --format brief
	@echo "== format"
	@$(BIN)/ruff format --check .
	@echo "== types"
	@$(BIN)/mypy
	@echo "== imports"
	@$(BIN)/lint-imports

bench:  ## print tables of ratios; ARGS choose benchmarks
	@scripts/setup.sh bench
	@PYTHONPATH=tests:packages/convert/tests $(BIN)/python -m bench $(ARGS)

generated:  ## write the files that are generated from the declarations of endpoints
	@$(BIN)/webquarry endpoints --markdown > docs/endpoints.md
	@$(BIN)/webquarry endpoints --catalogue > src/webquarry/cli/catalogue.json
	@$(BIN)/webquarry endpoints --changes > $(CHANGES).new && mv $(CHANGES).new $(CHANGES)

lock:  ## pin again what pyproject.toml asks for; ARGS go to uv: make lock ARGS=--upgrade
	@scripts/lock.sh $(ARGS)

clean:  ## remove what was installed and cached; ./data stays
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find src packages tests bench corpora training -name __pycache__ -type d -prune -exec rm -rf {} +
