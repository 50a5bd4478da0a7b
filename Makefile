# SPDX-License-Identifier: GPL-3.0-or-later
# The short commands. Each one first makes sure that what it needs is installed (resources/setup/setup),
# then calls the CMake preset an IDE would call. Nothing but make and git need be there beforehand.
#
#   make build CMAKE_FLAGS=-DAPERTUNE_WERROR=ON   more settings for CMake
#   make build SETUP_FLAGS=--no-packages          options of resources/setup/setup
#   make run   BUDGET=30s                         measuring time of the first sweep
#   make test  TEST_FLAGS="-R core"               options of ctest
#   make install PREFIX=$HOME/.local              where to install

SETUP_FLAGS ?=
CMAKE_FLAGS ?=
TEST_FLAGS ?=
# Many long tests wait for workers and leave the processor idle. Those that compute on all cores count as two tests
# (PROCESSORS). They share the processor: a thread of OpenMP that spins while it waits takes it from the one that it
# waits for.
CTEST = OMP_WAIT_POLICY=passive ctest --no-tests=error --parallel $$((2 * $$(nproc) + 2))
# Options of tests/gates/alone.py and tidy.py; CI limits their time.
GATE_FLAGS ?=
BENCH_FLAGS ?=
# For each fuzz target; empty: an hour for all of them.
FUZZ_SECONDS ?=
FUZZ_FLAGS ?=
BUDGET ?= 2m
KILLS ?= 200
FAULT_FLAGS ?=
PREFIX ?= /usr/local
# Options of tests/gpu/run.
GPU_FLAGS ?= --quick

.PHONY: help setup build run test alone tidy tidy-changed commits fuzz bench bench-engines faults headless asan tsan install installer deb wheel image gpu-bundle gpu-standin manual format clean
.NOTPARALLEL:

help:    ## list these targets
	@echo "Targets:"
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

setup:   ## install what is missing: Debian packages, Python environment with LibTorch
	@resources/setup/setup $(SETUP_FLAGS)

build: setup   ## build/release/bin/{apertune,apertune-gui,apertune-worker}
	cmake --preset release $(CMAKE_FLAGS)
	cmake --build --preset release

run: build   ## tune ResNet-50 on this machine and show the result
	@APERTUNE_BUDGET=$(BUDGET) resources/setup/first-run build/release

test: build   ## run all the tests
	$(CTEST) --preset release $(TEST_FLAGS)

alone:   ## compile each file by itself and check the locks (clang, syntax only)
	@resources/setup/setup --gates $(SETUP_FLAGS)
	cmake --preset check $(CMAKE_FLAGS) >/dev/null
	tests/gates/alone.py . build/check $(GATE_FLAGS)

tidy:   ## run clang-tidy over all sources (half an hour or more)
	@resources/setup/setup --gates $(SETUP_FLAGS)
	cmake --preset check $(CMAKE_FLAGS) >/dev/null
	tests/gates/tidy.py . build/check --all $(GATE_FLAGS)

tidy-changed:   ## run clang-tidy over what differs from origin/main
	@resources/setup/setup --gates $(SETUP_FLAGS)
	cmake --preset check $(CMAKE_FLAGS) >/dev/null
	tests/gates/tidy.py . build/check $(GATE_FLAGS)

commits:   ## check the texts of new commits
	tests/gates/commits.py . || test $$? = 77

fuzz:   ## look for inputs that break a parser (clang): an hour, or FUZZ_SECONDS for each
	@resources/setup/setup --gates --headless $(SETUP_FLAGS)
	cmake --preset fuzz $(CMAKE_FLAGS)
	cmake --build --preset fuzz
	tests/fuzz/run.py build/fuzz $(if $(FUZZ_SECONDS),--seconds $(FUZZ_SECONDS)) $(FUZZ_FLAGS)

bench: build   ## run the benchmarks
	@resources/setup/bench build/release $(BENCH_FLAGS)

bench-engines: build   ## what tune recommends against torch.compile, OpenVINO and ONNX Runtime
	@build/release/bench/compare_engines $(BENCH_FLAGS)

faults: build   ## kill supervisors and workers KILLS times at random, and those of real engines, check that nothing is lost
	build/release/tests/kill_sweep --kills $(KILLS)
	tests/faults/kill_engines.py build/release $(FAULT_FLAGS)

headless:   ## build without Qt and run those tests
	@resources/setup/setup --headless $(SETUP_FLAGS)
	cmake --preset headless $(CMAKE_FLAGS)
	cmake --build --preset headless
	$(CTEST) --preset headless $(TEST_FLAGS)

asan: setup   ## build with the address and undefined-behaviour sanitizers and run the tests
	cmake --preset asan $(CMAKE_FLAGS)
	cmake --build --preset asan
	$(CTEST) --preset asan $(TEST_FLAGS)

tsan:   ## build the core with the thread sanitizer and run its tests
	@resources/setup/setup --headless $(SETUP_FLAGS)
	cmake --preset tsan $(CMAKE_FLAGS)
	cmake --build --preset tsan
	$(CTEST) --preset tsan $(TEST_FLAGS)

install: build   ## install into PREFIX
	cmake --install build/release --prefix $(PREFIX) --strip

installer:   ## build/installer/*.run: everything with Qt inside, installs without root
	@resources/setup/setup --packaging $(SETUP_FLAGS)
	@resources/setup/installer

deb:   ## build/deb/*.deb: Debian's packages of the command line, the window and the header for plugins
	@resources/setup/setup --packaging $(SETUP_FLAGS)
	@resources/setup/deb

wheel:   ## build/wheel/*.whl: the command line and the Python module, for pip
	@resources/setup/setup --packaging --headless $(SETUP_FLAGS)
	@resources/setup/wheel

image: wheel   ## a container image of the command line, with docker, podman or buildah (IMAGE_FLAGS=--cuda: and LibTorch)
	@resources/setup/image $(IMAGE_FLAGS)

gpu-bundle:   ## pack a headless tree for a machine without compiler or Qt
	@resources/setup/setup --headless $(SETUP_FLAGS)
	@resources/setup/gpu-bundle

gpu-standin: gpu-bundle   ## run the bundle's gpu-check on a machine without a GPU
	cmake --build --preset headless --target tests/standin/all
	tests/standin/acceptance.py build/gpu-bundle/apertune-headless build/headless/tests/standin/lib $(GPU_FLAGS)

manual:   ## build/manual/index.html: the manual as one HTML site
	@resources/setup/setup --packaging $(SETUP_FLAGS)
	@resources/manual/make_site.py build/manual

format:   ## clang-format the sources git knows
	git ls-files -z '*.h' '*.cpp' | xargs -0 clang-format -i

clean:   ## remove build/
	rm -rf build
