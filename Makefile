# Forerun's commands; `make` alone lists them. Each installs what it needs (tools/packages-*.txt) and builds what it runs.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
SOAK_SEEDS ?= 50
PAGE_MINUTES ?= 30

sources = find forerun tests bench fuzz examples -name '*.cpp' -o -name '*.hpp'

# -- the two commands of the README --------------------------------------------------------------------------------

.PHONY: demo
demo: demo-build  ## a robot over a bad network, on a page in your browser (Ctrl-C ends it)
	@$(demo_folder)/forerun demo

.PHONY: test
test: build build-clang/build.ninja  ## build everything and run all tests
	@cmake --build build-clang --target golden_probe -j $(JOBS)
	@ctest --test-dir build --output-on-failure -j $(JOBS)

# -- more ----------------------------------------------------------------------------------------------------------

.PHONY: setup
setup:  ## install missing packages, those for testing too (Debian 12)
	@tools/setup test

# only what running needs; where everything is built anyway, that build is taken
demo_folder = $(if $(wildcard build/build.ninja),build,build-demo)
.PHONY: demo-build
demo-build:
	@tools/setup run
	@[ -f $(demo_folder)/build.ninja ] || cmake --preset demo
	@cmake --build $(demo_folder) --target forerun -j $(JOBS)

.PHONY: demo-check
demo-check: demo-build  ## the demo for five seconds, without a browser
	@$(demo_folder)/forerun demo --no-open --for-s 5

.PHONY: build
build: build/build.ninja  ## build the program, the tests and the benchmarks
	@cmake --build build -j $(JOBS)

.PHONY: bench
bench: build/build.ninja  ## print how fast it is, as ratios measured in one run
	@cmake --build build --target forerun_bench forerun -j $(JOBS)
	@build/forerun_bench
	@build/forerun bench-fanout
	@build/forerun bench-relay
	@cmake --build build --target bench_wasm -j $(JOBS)

.PHONY: bench-page
bench-page: build/build.ninja  ## the page in a real browser: time to the first picture, what 20 robots cost, and whether it grows (PAGE_MINUTES, 30)
	@cmake --build build --target forerun -j $(JOBS)
	@node web/e2e/measure.mjs build/forerun --minutes $(PAGE_MINUTES)

.PHONY: test-clang
test-clang: build-clang/build.ninja  ## run all tests as clang compiles them
	@cmake --build build-clang -j $(JOBS)
	@ctest --test-dir build-clang --output-on-failure -j $(JOBS)

.PHONY: sanitize
sanitize: build-sanitize/build.ninja build-clang/build.ninja  ## run all tests with address and undefined-behaviour sanitizers
	@cmake --build build-clang --target golden_probe -j $(JOBS)
	@cmake --build build-sanitize -j $(JOBS)
	@ctest --test-dir build-sanitize --output-on-failure -j $(JOBS)

.PHONY: fuzz
fuzz: build-fuzz/build.ninja  ## feed random bytes to every reader, FUZZ_SECONDS each (60)
	@cmake --build build-fuzz --target fuzz/all -j $(JOBS)
	@tools/fuzz build-fuzz $(FUZZ_SECONDS)

.PHONY: soak
soak: build/build.ninja  ## deliveries and a narrow corridor with SOAK_SEEDS seeds (50); the link for 24 virtual hours
	@cmake --build build --target forerun -j $(JOBS)
	@tools/soak build/forerun $(SOAK_SEEDS)
	@tools/soak-link build/forerun

.PHONY: params
params: build/build.ninja  ## write docs/params.md anew from the parameter structs
	@cmake --build build --target forerun -j $(JOBS)
	@build/forerun params > docs/params.md.new && mv docs/params.md.new docs/params.md

.PHONY: golden
golden: build/build.ninja  ## write tests/golden anew after an intended change of behaviour
	@cmake --build build --target forerun_tests -j $(JOBS)
	@FORERUN_WRITE_GOLDEN=1 build/forerun_tests --gtest_filter='Golden.Drives*'
	@git diff --stat -- tests/golden

.PHONY: format
format: setup  ## format all sources
	@$(sources) | xargs clang-format -i

.PHONY: format-check
format-check: setup  ## complain about sources that are not formatted
	@$(sources) | xargs clang-format --dry-run --Werror

.PHONY: lint
lint: build-clang/build.ninja  ## clang-tidy
	@find forerun -name '*.cpp' | xargs -P $(JOBS) -n 4 clang-tidy -p build-clang --quiet

.PHONY: package
package: build  ## Debian packages of the program and of the libraries, in out/
	@mkdir -p out
	@cd out && cpack --config ../build/CPackConfig.cmake -G DEB >/dev/null && rm -rf _CPack_Packages
	@ls out/*.deb

.PHONY: clean
clean:  ## remove what was built
	@rm -rf build build-demo build-clang build-debug build-sanitize build-fuzz out

.PHONY: help
help:  ## this list
	@sed -nE 's/^([a-z-]+):.*##  ?(.*)/  make \1\t\2/p' Makefile | expand -t 22

# `setup` is order-only: it always runs, is quick when there is nothing to install, and never forces a new configure
build/build.ninja: CMakePresets.json | setup
	@cmake --preset release
build-%/build.ninja: CMakePresets.json | setup
	@cmake --preset $*
