# SPDX-License-Identifier: MIT
# A short front for CMake; each target does all of its own set-up.
JOBS := $(shell nproc 2>/dev/null || echo 2)

# Configures, builds and leaves the preset $(1) ready in its build folder.
define build
	@tools/setup $(2)
	@cmake --preset $(1) >/dev/null
	@cmake --build --preset $(1) -j $(JOBS)
endef

all: ## build the release preset into build/
	$(call build,release)

demo: ## build, and show Filch at work (under a minute)
	$(call build,release)
	@tools/demo

check: ## build, and run all tests
	$(call build,release)
	@ctest --preset release

# ThreadSanitizer of gcc 12 cannot map what newer kernels' address randomisation gives it.
STEADY = $(shell setarch -R true 2>/dev/null && echo setarch -R)

asan debug: ## build with this preset, and run all tests
	$(call build,$@)
	@ctest --preset $@

tsan: ## the same under ThreadSanitizer
	$(call build,$@)
	@$(STEADY) ctest --preset $@

clang: ## the same with clang
	$(call build,clang,clang)
	@ctest --preset clang

aarch64: ## cross-build the library and the tests, and run the short ones under qemu
	$(call build,aarch64,aarch64)
	@ctest --preset aarch64

peers: ## install what `filch bench` compares with, and build it
	$(call build,release,peers)

verify: ## the model checker on all clients and twins (some minutes)
	$(call build,release)
	@cmake --build --preset release --target verify_clients -j $(JOBS)
	@verify/run

verify-long: ## the same with larger bounds (hours)
	$(call build,release)
	@cmake --build --preset release --target verify_clients -j $(JOBS)
	@verify/run --long

verify-genmc: ## the same clients under GenMC, if there is one on PATH
	@verify/genmc

soak: ## the stress tests with a hundred times the work
	$(call build,release)
	@FILCH_SCALE=100 ctest --preset release -L stress

# What must not crash on a stranger's bytes; FUZZ_SECONDS each.
FUZZ_SECONDS ?= 60
FUZZERS := $(basename $(notdir $(wildcard fuzz/*.c)))
FUZZ_FLAGS := -g -O1 -std=c17 -D_GNU_SOURCE -fsanitize=fuzzer,address,undefined \
	-fno-sanitize-recover=all -I. -Isrc -Iinclude

fuzz: $(FUZZERS:%=build-fuzz/%) ## libFuzzer on each of fuzz/, FUZZ_SECONDS (60) each
	@for f in $(FUZZERS); do \
		mkdir -p build-fuzz/found-$$f; \
		build-fuzz/$$f -max_len=2048 -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 \
			-artifact_prefix=build-fuzz/crash-$$f- build-fuzz/found-$$f fuzz/corpus/$$f || exit 1; \
	done

build-fuzz/%: fuzz/%.c fuzz/fuzz.h $(wildcard cmd/serve/*.[ch])
	@tools/setup clang fuzz
	@mkdir -p build-fuzz
	clang $(FUZZ_FLAGS) $< -o $@

clean: ## remove everything that was built
	rm -rf build build-debug build-asan build-tsan build-clang build-aarch64 build-fuzz

help: ## this list
	@grep -hE '^[a-z0-9 -]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9 -]+):.*## (.*)/  make \1\t\2/' | expand -t 24

.PHONY: all demo check asan tsan debug clang aarch64 peers verify verify-long verify-genmc soak fuzz clean help
