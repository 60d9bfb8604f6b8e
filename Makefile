# SPDX-License-Identifier: MIT
# A short front for CMake; each target does all of its own set-up.
JOBS := $(shell nproc 2>/dev/null || echo 2)
# Many tests use all processors by themselves; a second one has what waiting leaves over.
TEST_JOBS := 2

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
	@ctest --preset release -j $(TEST_JOBS)

# ThreadSanitizer of gcc 12 cannot map what newer kernels' address randomisation gives it.
STEADY = $(shell setarch -R true 2>/dev/null && echo setarch -R)

asan debug: ## build with this preset, and run all tests
	$(call build,$@)
	@ctest --preset $@ -j $(TEST_JOBS)

coverage: ## the same with asserts, and count which lines of src/ ran: at least 90 %
	$(call build,coverage)
	@find build-coverage -name '*.gcda' -delete
	@ctest --preset coverage -j $(TEST_JOBS)
	@tools/coverage

tsan: ## the same under ThreadSanitizer
	$(call build,$@)
	@$(STEADY) ctest --preset $@ -j $(TEST_JOBS)

clang: ## the same with clang
	$(call build,clang,clang)
	@ctest --preset clang -j $(TEST_JOBS)

aarch64: ## cross-build the library and the tests, and run the short ones under qemu
	$(call build,aarch64,aarch64)
	@ctest --preset aarch64 -j $(TEST_JOBS)

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

SOAK_MINUTES ?= 60
soak: ## everything at once, with faults, for SOAK_MINUTES (60)
	$(call build,release)
	$(call build,debug)
	@tools/soak --minutes $(SOAK_MINUTES) --build build --build build-debug

lint: ## clang-tidy and cppcheck on all that is C
	@tools/setup clang lint
	@tools/lint

# Installing: PREFIX is baked into filch.pc, DESTDIR is where packagers collect files.
PREFIX ?= /usr/local
DESTDIR ?=
MANIFEST := build-install/install_manifest.txt

install: ## build, and install below PREFIX (/usr/local)
	@case "$(PREFIX)" in /*) ;; *) echo "install: PREFIX is to be an absolute path, not '$(PREFIX)'" >&2; exit 2 ;; esac
	@tools/setup build
	@cmake --preset install -DCMAKE_INSTALL_PREFIX="$(PREFIX)" >/dev/null
	@cmake --build --preset install -j $(JOBS)
	@DESTDIR="$(DESTDIR)" cmake --install build-install >/dev/null
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig
	@echo "Filch is installed in $(DESTDIR)$(PREFIX)"

uninstall: ## remove what the last `make install` has put there (the same DESTDIR)
	@[ -e $(MANIFEST) ] || { echo "uninstall: there is no $(MANIFEST); 'make install' writes it" >&2; exit 2; }
	@while IFS= read -r file || [ -n "$$file" ]; do rm -f "$(DESTDIR)$$file"; done <$(MANIFEST)
	@sed 's|/[^/]*$$||' $(MANIFEST) | grep -i '/filch' | sort -ur | while IFS= read -r folder; do \
		[ ! -d "$(DESTDIR)$$folder" ] || rmdir --ignore-fail-on-non-empty "$(DESTDIR)$$folder"; done
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig

deb: ## Debian packages, into build-deb/
	@tools/setup build package
	@rm -rf build-deb && mkdir -p build-deb/filch
	@tar -c --exclude-vcs --exclude='./build*' . | tar -x -C build-deb/filch
	@cd build-deb/filch && dpkg-buildpackage -us -uc -b -j$(JOBS) >../build.log 2>&1 || \
		{ tail -n 40 ../build.log; echo "deb: it failed; build-deb/build.log has all of it" >&2; exit 1; }
	@rm -rf build-deb/filch
	@lintian --fail-on error --suppress-tags initial-upload-closes-no-bugs build-deb/*.changes
	@ls build-deb/*.deb

package: ## everything that can be installed, and programs outside the tree that use it
	$(call build,install,package)
	@ctest --preset install

# What must not crash on a stranger's bytes; FUZZ_SECONDS each.
FUZZ_SECONDS ?= 60
FUZZERS := $(basename $(notdir $(wildcard fuzz/*.c)))
FUZZ_FLAGS := -g -O1 -std=c17 -D_GNU_SOURCE -fsanitize=fuzzer,address,undefined \
	-fno-sanitize-recover=all -I. -Iinclude

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
	rm -rf build build-debug build-asan build-tsan build-clang build-aarch64 build-fuzz build-install build-deb \
		build-coverage build-lint

help: ## this list
	@grep -hE '^[a-z0-9 -]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9 -]+):.*## (.*)/  make \1\t\2/' | expand -t 24

.PHONY: all demo check asan tsan debug coverage clang aarch64 peers verify verify-long verify-genmc soak lint fuzz install uninstall deb \
	package clean help
