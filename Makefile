# Targets for all work on the source. Needs Go, git and make; `make help` lists the targets.

BUILD     := build
GO        ?= go
# The output of `quire version`: the tag and commit in a clone, the file VERSION in a source
# archive.
VERSION   := $(shell git describe --tags --always --dirty 2>/dev/null || cat VERSION 2>/dev/null || echo unknown)
FUZZTIME  ?= 10s
BENCH     ?= .
ROUNDS    ?= 3
RACEFLAGS ?=
# SQLite is a C program in the form of Go, and with the race detector some ten times slower. Its
# locks are still seen: they are those of Go.
UNRACED   := -gcflags=modernc.org/...=-race=false
# The longest tests come first, so that no processor waits for them at the end.
TESTS     := ./repository/store ./cmd/quire ./preserve/pack ./...

.PHONY: build caddy caddytest demo docs test lint race fuzz bench microbench interop release prove clean help

build: ## build the binary, build/quire
	@mkdir -p $(BUILD)
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o $(BUILD)/quire ./cmd/quire

# Caddy and its dependencies take minutes to compile. All commands use the same flags, so that this
# happens once.
CADDY := CGO_ENABLED=0 GOFLAGS=-trimpath $(GO) -C caddy

caddy: ## build the web server Caddy with the directive crate, build/quire-caddy (a separate module: minutes the first time)
	@mkdir -p $(BUILD)
	$(CADDY) build -ldflags '-s -w' -o ../$(BUILD)/quire-caddy ./cmd/quire-caddy

caddytest: ## run the tests of the module for Caddy
	$(CADDY) vet ./...
	$(CADDY) test ./...

demo: build ## package the example crawl, store it in three copies, audit it, export it, in build/demo
	@[ ! -e $(BUILD)/demo ] || chmod -R u+w $(BUILD)/demo
	@rm -rf $(BUILD)/demo
	@$(BUILD)/quire demo --out $(BUILD)/demo

docs: ## generate reference pages and diagrams, and build the documentation site in build/docs (needs Python; pip installs MkDocs)
	$(GO) generate ./cmd/quire
	docs/diagrams/draw
	@test -x $(BUILD)/docs-tools/bin/mkdocs || python3 -m venv $(BUILD)/docs-tools
	$(BUILD)/docs-tools/bin/pip install --quiet --requirement docs/requirements.txt
	$(BUILD)/docs-tools/bin/mkdocs build --strict --quiet

test: ## run the tests
	$(GO) test -timeout 30m $(TESTS)

race: ## run the tests with the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race $(UNRACED) -timeout 30m $(RACEFLAGS) $(TESTS)

lint: ## check the style and the floors (needs golangci-lint v2.15.0; prints how to get it)
	@sh .ci/lint

fuzz: ## run every fuzz target for FUZZTIME (10s unless given: make fuzz FUZZTIME=5m)
	@.ci/fuzz $(FUZZTIME)

bench: ## measure against the floor and against peers, into docs/explanation/710_performance.md (ROUNDS=3; about an hour)
	@bash bench/run $(ROUNDS)

microbench: ## run the benchmarks of the packages (BENCH=pattern selects)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./...

interop: ## check Quire's input and output with independent tools (needs Java, Maven, Python, xmllint)
	@bash interop/run

release: ## make the files of a release in dist/: archives, packages, images, lists of modules, checksums (release/make says how)
	@bash release/make

prove: ## run in full the tests that CI runs in short: kills, gigabytes, millions of captures, load, fuzzing (a night)
	@.ci/prove

clean: ## remove the build folders
	rm -rf $(BUILD) dist

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
