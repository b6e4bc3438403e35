# What one does with this package. `make demo` and `make test` install what is missing first.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# Of `make compare`: what its figures for loss are means of.
SEEDS ?= 20
# The command line carries Swift's own libraries with it, so that it runs where no Swift is installed.
RELEASE := -c release --static-swift-stdlib
# Tests, examples and gates share one build, in which tests reach what is internal, and modules that compute are optimised.
SHARED := -c release -Xswiftc -enable-testing -debug-info-format none --scratch-path .build/optimised
BUILD := AUDIOPIPE_TEST_BUILD=1 $(SWIFT) build $(SHARED)
BIN = "$$($(BUILD) --show-bin-path)"
# The flags of `swift test` would differ from those of `swift build` by one that the compiler is given already.
TEST := AUDIOPIPE_TEST_BUILD=1 $(SWIFT) test $(SHARED) --disable-testable-imports
# Of `make test`: what runs beside the tests, which wait more than they compute.
BESIDE ?= lint outside commands
FORMATTED := Package.swift $(wildcard Sources Tests Benchmarks Examples)

.PHONY: help deps test-deps build demo test test-build unit-test examples outside commands docs lint bench bench-build bench-quick compare peers faults real-time seeds long tsan install uninstall clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

deps: ## Install the libraries that the build needs, if they are missing (apt)
	@.ci/deps build

test-deps: ## Install also the programs that tests, benchmarks and the demo need (apt, and PyPI if available)
	@.ci/deps test
	@# Beside the build; who needs it waits for it.
	@.ci/python sys >/dev/null 2>&1 &

build: deps ## Build the command line in release
	$(SWIFT) build $(RELEASE) --product audiopipe

demo: test-deps build ## Run the main job on recorded speech; results in ./out
	@Examples/demo "$$($(SWIFT) build $(RELEASE) --show-bin-path)/audiopipe" out

test: test-deps test-build ## Every test, the lints, the examples, a package that depends on this one
	@nice -n 19 $(MAKE) --no-print-directory $(BESIDE) >.build/beside.log 2>&1 & beside=$$!; \
	failed=(); $(MAKE) --no-print-directory unit-test || failed+=(unit-test); \
	if ! wait $$beside; then cat .build/beside.log; failed+=("$(BESIDE)"); elif ((!$${#failed[@]})); then cat .build/beside.log; fi; \
	if (($${#failed[@]})); then echo "test: $${failed[*]} failed; the lines above say in what" >&2; exit 1; fi
	@$(MAKE) --no-print-directory examples
	@echo
	@tail -1 .build/test.log

test-build: test-deps
	$(BUILD) --build-tests

# Not through `swift test`, which loses lines of the output on a busy machine, the last one too.
unit-test: test-build
	@Tests/run $(BIN)/audiopipePackageTests.xctest .build/test.log

examples: test-deps ## Build the examples and run them on recorded speech
	$(BUILD)
	@Examples/run $(BIN)

# Its build is a debug build of everything that a tick reaches: only such a build finds an unannotated function of another
# file.
outside: test-deps ## Build and run a package of its own that depends on this one; checks the real-time annotations
	@Examples/Outside/run

commands: test-deps ## Run every command that README, documentation and Deploy show
	$(BUILD) --product audiopipe
	@Tests/Gates/commands $(BIN)/audiopipe
	@Tests/Gates/deploy $(BIN)/audiopipe

lint: deps ## Format, import arrows, folders that use each other, annotations, documented names, tests named in documents
	$(SWIFT) format lint --strict --recursive --parallel $(FORMATTED)
	Tests/Gates/lint
	Tests/Gates/lint-self-test
	Tests/Gates/rooms
	Tests/Gates/prose
	$(BUILD)
	Tests/Gates/documentation $(BIN)/Modules
	Tests/Gates/snippets $(BIN)/Modules
	Tests/Gates/behaviours

docs: deps ## Documentation of the public modules as a DocC archive, without a warning
	Documentation/build

bench: test-deps ## Every benchmark, in full
	$(SWIFT) run -c release Benchmarks

# The build of the tests, with their flags: its figures only show that every benchmark runs.
bench-build: test-deps
	$(BUILD) --product Benchmarks

bench-quick: bench-build ## Every benchmark once, in a quick mode
	$(BIN)/Benchmarks --quick

# All of them, whatever one says. The one in real time last, when nothing else runs.
compare: build ## Sound judged by PESQ, and costs, beside other programs; each says what it needs. SEEDS=3 is quicker
	@audiopipe="$$($(SWIFT) build $(RELEASE) --show-bin-path)/audiopipe"; failed=(); \
	Tests/Comparisons/receiver $(SEEDS) || failed+=(receiver); \
	Tests/Comparisons/redundancy || failed+=(redundancy); \
	for name in adapting relay pitch-shift voice-only gstreamer pipe-delay janus batch; do Tests/Comparisons/$$name "$$audiopipe" || failed+=("$$name"); done; \
	if (($${#failed[@]})); then echo "compare: $${failed[*]} failed; the lines above say in what" >&2; exit 1; fi

# Beside other work on the machine, sounds are interrupted. All of them, whatever one says.
peers: test-deps ## Beside other programs: PulseAudio, Slurm, Janus (installs them), PipeWire, aiortc, systemd. Real time, on a machine to itself
	@.ci/deps peers
	for product in audiopipe VoiceBot CallRecorder; do $(BUILD) --product "$$product"; done
	@bin=$(BIN); failed=(); \
	for name in devices pipewire slurm janus python systemd; do Tests/Peers/$$name "$$bin" || failed+=("$$name"); done; \
	if (($${#failed[@]})); then echo "peers: $${failed[*]} failed; the lines above say in what" >&2; exit 1; fi

# Beside other work on the machine, sounds are interrupted.
faults: test-deps ## Channels while relays and users are killed and networks cut. Real time, root for namespaces, on a machine to itself
	$(BUILD) --product audiopipe
	@Tests/Faults/channels $(BIN)/audiopipe

real-time: test-deps ## The graph under the real-time sanitizer and the counting allocator
	AUDIOPIPE_TEST_BUILD=1 Tests/Gates/real-time $(SHARED)

# A line for each fault that did not heal, then one for each place that the calls have reached.
seeds: SEEDS = 500
seeds: test-build ## Simulated channels under faults, each seed with one channel and with several. SEEDS=7-9 chooses; 30 take 67 s on two processors
	AUDIOPIPE_LONG=1 AUDIOPIPE_SEEDS=$(SEEDS) $(BIN)/audiopipePackageTests.xctest --testing-library swift-testing \
	  --filter '^CallSimulationTests\.ChannelSeedTests[./(]' | grep -v '^◇'

# Optimised, or a sender's clock over 24 hours takes days.
long: build ## What takes long: fuzzing for 60 s, ten-hour conversions, clocks that drift for 24 hours, a soak run
	Tests/Fuzz/run 60
	AUDIOPIPE_LONG=1 $(TEST)
	Tests/Gates/soak "$$($(SWIFT) build $(RELEASE) --show-bin-path)/audiopipe"

# Optimised, or it takes hours. What counts allocations, limits a file's size or looks through all memory is left out:
# the sanitizer has an allocator, files and 100 TiB of its own.
tsan: test-deps ## Every test under the thread sanitizer, but for what looks at memory itself
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Gates/tsan-suppressions $(SWIFT) test -c release -Xswiftc -enable-testing \
	  --sanitize=thread --scratch-path .build/tsan --skip AllocationTests --skip PitchMemoryTests \
	  --skip EnvironmentTests --skip sizeLimit --skip SRTPKeyTests

install: build ## Install the command, its manual page and its completions under PREFIX
	bin="$$($(SWIFT) build $(RELEASE) --show-bin-path)/audiopipe"; share="$(DESTDIR)$(PREFIX)/share"; \
	install -D -s -m 755 "$$bin" "$(DESTDIR)$(PREFIX)/bin/audiopipe"; \
	install -D -m 644 <("$$bin" manual) "$$share/man/man1/audiopipe.1"; \
	install -D -m 644 <("$$bin" completion bash) "$$share/bash-completion/completions/audiopipe"; \
	install -D -m 644 <("$$bin" completion zsh) "$$share/zsh/site-functions/_audiopipe"; \
	install -D -m 644 <("$$bin" completion fish) "$$share/fish/vendor_completions.d/audiopipe.fish"; \
	install -D -m 644 LICENSE "$$share/doc/audiopipe/LICENSE"

uninstall: ## Remove the installed files from PREFIX
	cd "$(DESTDIR)$(PREFIX)" && rm -f bin/audiopipe share/man/man1/audiopipe.1 \
	  share/bash-completion/completions/audiopipe share/zsh/site-functions/_audiopipe \
	  share/fish/vendor_completions.d/audiopipe.fish share/doc/audiopipe/LICENSE
	rmdir "$(DESTDIR)$(PREFIX)/share/doc/audiopipe" 2>/dev/null || true

clean: ## Remove what was built
	rm -rf .build out Examples/Outside/.build
