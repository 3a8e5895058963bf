# Two commands set everything up: `make demo` and `make test`.

GO      ?= go
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)
LDFLAGS := -s -w -X github.com/git-sdd/git-sdd/internal/cli.released=$(VERSION)
# The parts of the command library that git-sdd does not use cost time at every start.
TAGS    := urfave_cli_no_docs,urfave_cli_no_suggest
FUZZ    ?= 30s

.PHONY: build install test check fuzz bench demo clean

build:
	$(GO) build -trimpath -tags $(TAGS) -ldflags '$(LDFLAGS)' -o bin/git-sdd ./cmd/git-sdd

install:
	$(GO) install -trimpath -tags $(TAGS) -ldflags '$(LDFLAGS)' ./cmd/git-sdd

test:
	$(GO) test -timeout 20m ./...

# What a change must pass before it lands.
check:
	@files=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$files" ]; then echo "gofmt -w $$files"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(GO) mod tidy -diff
	$(GO) generate ./...
	git diff --exit-code
	$(GO) test -race -timeout 20m ./...

# Every fuzz target there is, found by listing, for FUZZ each.
fuzz:
	@$(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | while read -r package; do \
		for target in $$($(GO) test -list '^Fuzz' "$$package" | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZ) "$$package" || exit 1; \
		done; \
	done

bench:
	$(GO) test -timeout 60m -run '^$$' -bench . -benchtime 1s ./...

demo: build
	@PATH="$(CURDIR)/bin:$$PATH" sh testdata/demo/demo.sh

clean:
	rm -rf bin
