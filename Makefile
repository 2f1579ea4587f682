# SPDX-License-Identifier: Apache-2.0
#
# The front door. `make demo` and `make test` are all the set-up there is: what is missing is installed by
# scripts/deps.sh where that is possible (DEPS=no: leave the machine alone).
PREFIX  ?= /usr/local
DESTDIR ?=
DEPS    ?= yes
need = @$(if $(filter no,$(DEPS)),true,scripts/deps.sh)

.PHONY: build demo test check check-all mutants bench install uninstall format clean help

build: ## Build the command (build/ilk) and the library
	$(need) build
	@scripts/build.sh release

demo: build ## Show what it does, on small examples
	@PATH="$(CURDIR)/build:$$PATH" scripts/demo.sh

test: ## All tests; the last line is: N passed, N failed, N skipped
	$(need) test
	@tests/run.sh

check: ## The quick part: unit and command line tests of the release build
	$(need) test
	@tests/run.sh quick

check-all: ## Everything: clang, old processors, threads, valgrind, coverage, kills, mutants, fuzzing
	$(need) all
	@tests/check-all.sh

mutants: ## Would the tests notice? Change the sources one by one (MUTANTS=60 of them, or all)
	$(need) all
	@tests/mutants.py

bench: build ## Run the benchmarks
	@bench/run.sh

install: build ## Install under DESTDIR and PREFIX (default /usr/local)
	@DESTDIR="$(DESTDIR)" scripts/install.sh install "$(PREFIX)"

uninstall: ## Remove exactly what install wrote there
	@DESTDIR="$(DESTDIR)" scripts/install.sh uninstall "$(PREFIX)"

format: ## Lay out the C sources by .clang-format
	$(need) format
	@"$$(command -v clang-format || command -v clang-format-14)" -i $(wildcard include/*.h src/*/*.[ch] cli/*.[ch] \
	    tests/unit/*.[ch] tests/outside/*.c fuzz/*.[ch] bench/*.[ch] examples/*.[ch])

clean: ## Remove build/
	@rm -rf build

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile
