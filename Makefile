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

peers: ## install what `filch bench app` and `algo` compare with, and build it
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

clean: ## remove everything that was built
	rm -rf build build-debug build-asan build-tsan build-clang build-aarch64

help: ## this list
	@grep -hE '^[a-z0-9 -]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9 -]+):.*## (.*)/  make \1\t\2/' | expand -t 24

.PHONY: all demo check asan tsan debug clang aarch64 peers verify verify-long verify-genmc soak clean help
