# Everything that is done with the source, each by one word. Needs Go, git and make; `make help` lists the words.

BUILD     := build
GO        ?= go
# What `quire version` says: the tag and commit in a clone, the file VERSION in an archive of the source.
VERSION   := $(shell git describe --tags --always --dirty 2>/dev/null || cat VERSION 2>/dev/null || echo unknown)
FUZZTIME  ?= 10s
BENCH     ?= .
ROUNDS    ?= 3
RACEFLAGS ?=

.PHONY: build caddy caddytest demo docs test lint race fuzz bench microbench interop prove clean help

build: ## make the binary, build/quire
	@mkdir -p $(BUILD)
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o $(BUILD)/quire ./cmd/quire

# Caddy and all that it stands on take minutes to compile: what is done with them has the same flags, so that it is done once.
CADDY := CGO_ENABLED=0 GOFLAGS=-trimpath $(GO) -C caddy

caddy: ## make the web server Caddy with the directive crate, build/quire-caddy (a module of its own: minutes at the first time)
	@mkdir -p $(BUILD)
	$(CADDY) build -ldflags '-s -w' -o ../$(BUILD)/quire-caddy ./cmd/quire-caddy

caddytest: ## run the tests of the module for Caddy
	$(CADDY) vet ./...
	$(CADDY) test ./...

demo: ## package the example crawl, store it in three copies, audit it, hand it out again
	@sh examples/demo.sh

docs: ## generate reference pages and diagrams, and build the site of the documentation in build/docs (needs Python; pip fetches MkDocs)
	$(GO) generate ./cmd/quire
	docs/diagrams/draw
	@test -x $(BUILD)/docs-tools/bin/mkdocs || python3 -m venv $(BUILD)/docs-tools
	$(BUILD)/docs-tools/bin/pip install --quiet --requirement docs/requirements.txt
	$(BUILD)/docs-tools/bin/mkdocs build --strict --quiet

test: ## run the tests
	$(GO) test -timeout 30m ./...

race: ## run the tests with the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -timeout 30m $(RACEFLAGS) ./...

lint: ## check the style and the floors (needs golangci-lint v2.15.0; prints how to get it)
	@sh .ci/lint

fuzz: ## run every fuzz target for FUZZTIME (10s unless given: make fuzz FUZZTIME=5m)
	@.ci/fuzz $(FUZZTIME)

bench: ## measure against the floor and against peers, into docs/explanation/710_performance.md (ROUNDS=3; some ten minutes)
	@bash bench/run $(ROUNDS)

microbench: ## run the benchmarks of the packages (BENCH=pattern chooses)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./...

interop: ## let tools that we did not write read what we read and write (needs Java, Maven, Python, xmllint)
	@bash interop/run

prove: ## the whole form of what CI does in short: kills, gigabytes, millions of captures, load, fuzzing (a night)
	@.ci/prove

clean: ## remove what was built
	rm -rf $(BUILD)

help: ## list these words
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
