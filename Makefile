# The everyday commands; `make help` lists them. Each sets up what it needs: packages (tools/install_packages), configuration, build.
.DEFAULT_GOAL := help
.PHONY: help packages configure build run test validate bench format check
MAKEFLAGS += --no-print-directory

JOBS   ?= $(shell nproc)
PYTHON ?= /usr/bin/python3
BUILD  := build/release
SCREE  := build/bin/scree

help:
	@echo "make build      the program build/bin/scree with every flavor (CUDA where nvcc is found), its tests and benchmarks"
	@echo "make run        build what examples/silo.toml needs, simulate it into runs/silo and draw two pictures of it"
	@echo "make test       build, and run every test but the validation cases"
	@echo "make validate   build, and compare with published and analytic results"
	@echo "make bench      build, and measure the speed of this machine"
	@echo "make check      layer rules, file lengths and formatting of the sources"
	@echo "make format     format the sources with clang-format"
	@echo "make packages   install the Debian packages that are missing"

packages:
	@tools/install_packages

configure: packages
	@cmake --preset release --log-level=WARNING

build: configure
	@cmake --build $(BUILD) --parallel $(JOBS)

run: configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target scree
	@$(SCREE) run examples/silo.toml -o runs/silo --overwrite
	@$(PYTHON) tools/plot_silo runs/silo

test: build
	@OMP_WAIT_POLICY=passive ctest --test-dir $(BUILD) --parallel 2 --output-on-failure --label-exclude '^validate$$'

validate: build
	@tools/validate

bench: build
	@tools/bench

check: packages
	@tools/check_layers
	@tools/format --check

format: packages
	@tools/format
