# The everyday commands; `make help` lists them. Each sets up what it needs: packages (tools/install_packages), configuration, build.
.DEFAULT_GOAL := help
.PHONY: help packages configure build run examples pictures guide test validate bench format check clang tidy asan tsan fuzz coverage deb wheel wheel-cuda
MAKEFLAGS += --no-print-directory

JOBS   ?= $(shell nproc)
PYTHON ?= /usr/bin/python3
OPTIONS ?=  # of CMake, e.g. -DSCREE_CUDA=OFF, for all that configure builds, and for make deb
BUILD  := build/release
SCREE  := build/bin/scree

help:
	@echo "make build      the program build/bin/scree with every flavor (CUDA where nvcc is found), its tests and benchmarks"
	@echo "make run        build what examples/silo.toml needs, simulate it into runs/silo and draw three pictures of it"
	@echo "make examples   run five examples into build/examples, and draw a picture of the result of each"
	@echo "make pictures   draw the pictures of scenes in README.md and docs/ anew; runs the scenes that runs/ lacks"
	@echo "make guide      the pages of docs/ as a site into build/guide; asks the network for nothing"
	@echo "make test       build, and run every test but the validation cases"
	@echo "make validate   build, and compare with published and analytic results"
	@echo "make bench      build, and measure the speed of this machine"
	@echo "make check      layer rules, file lengths and formatting of the sources"
	@echo "make format     format the sources with clang-format"
	@echo "make clang      build the program and unit tests with clang 15; warnings are errors"
	@echo "make tidy       clang-tidy over the sources"
	@echo "make asan       unit and command-line tests under the address and undefined-behaviour sanitizers"
	@echo "make tsan       tests of the parallel primitives under the thread sanitizer"
	@echo "make fuzz       a minute of damaged files for each reader of files"
	@echo "make coverage   say which lines the tests run"
	@echo "make deb        the Debian package, tried in a bare root"
	@echo "make wheel      the Python package as a file that pip installs, into build"
	@echo "make wheel-cuda the same of what it takes for NVIDIA GPUs (with nvcc), to install beside it"
	@echo "make packages   install the Debian packages that are missing"

run examples pictures: PACKAGES := --run
packages:
	@tools/install_packages $(PACKAGES)

configure: packages
	@cmake --preset release --log-level=WARNING $(OPTIONS)

build: configure
	@cmake --build $(BUILD) --parallel $(JOBS)

run: configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target scree
	@$(SCREE) run examples/silo.toml -o runs/silo --overwrite
	@$(PYTHON) tools/plot_silo runs/silo
	@$(SCREE) render runs/silo --time 0.9 --cut "y<0" --azimuth -90 --elevation 8 --overwrite

examples: configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target scree
	@$(PYTHON) tools/plot_examples

pictures: configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target scree
	@tools/draw_pictures

guide: packages
	@mkdocs build --strict --quiet
	@echo "build/guide/index.html; with search: $(PYTHON) -m http.server --directory build/guide"

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

clang: packages
	@cmake --preset clang --log-level=WARNING
	@cmake --build build/clang --parallel $(JOBS) --target unit_tests

tidy: packages
	@tools/tidy

# cli/memory weighs the program, and sanitizers weigh too; cli/limits lets no file grow, and clang's OpenMP asks for one as it starts. Leaks
# are not looked for: that stops the program with ptrace, which containers refuse.
asan: packages
	@cmake --preset asan --log-level=WARNING
	@cmake --build build/asan --parallel $(JOBS) --target unit_tests
	@ASAN_OPTIONS=detect_leaks=0 OMP_WAIT_POLICY=passive ctest --test-dir build/asan --parallel 2 --output-on-failure -R '^(unit|cli)/' -E '^cli/(memory|limits)$$'

# Archer tells the sanitizer what OpenMP orders.
tsan: packages
	@cmake --preset tsan --log-level=WARNING
	@cmake --build build/tsan --parallel $(JOBS) --target test_exec_threads
	@OMP_NUM_THREADS=4 OMP_TOOL_LIBRARIES=/usr/lib/llvm-15/lib/libarcher.so TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1" build/tsan/bin/test_exec_threads

fuzz: packages
	@tools/fuzz

coverage: packages
	@tools/coverage

deb: packages
	@OPTIONS="$(OPTIONS)" tools/check_deb

wheel: PACKAGES := --run
wheel: packages
	@$(PYTHON) -B python/build_wheel.py build jobs=$(JOBS)

wheel-cuda: PACKAGES := --run
wheel-cuda: packages
	@$(PYTHON) -B python/build_wheel.py --cuda build jobs=$(JOBS)
