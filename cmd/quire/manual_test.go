package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"quire/internal/prove"
)

// words splits a call like a shell, up to the redirection of its output. Double quotes keep spaces.
func words(call string) (all []string) {
	call, _, _ = strings.Cut(call, " > ")
	for i, part := range strings.Split(call, `"`) {
		if i%2 == 1 {
			all = append(all, part)
			continue
		}
		all = append(all, strings.Fields(part)...)
	}
	return all
}

// TestExamples checks that each command for people has examples, and that quire can parse them.
func TestExamples(t *testing.T) {
	prove.Serial(t)
	t.Chdir(t.TempDir())
	// files named in the examples must exist
	for _, name := range []string{"rules.yaml", "serve.yaml", "site-rules.yaml"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shown := map[string]bool{}
	parser, err := grammar(&commands{}, kong.Writers(io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range parser.Model.Leaves(true) {
		name := strings.TrimPrefix(n.FullPath(), "quire ")
		shown[name] = true
		if n.Parent.DefaultCmd == n { // the examples of a group
			shown[strings.TrimPrefix(n.Parent.FullPath(), "quire ")] = true
		}
		if n.Detail == "" && name != "version" && name != "help" {
			t.Errorf("%s has no example", name)
		}
	}
	for name, all := range examples {
		if !shown[name] {
			t.Errorf("there is no command %q", name)
		}
		for _, e := range all {
			parser, err := grammar(&commands{}, kong.Writers(io.Discard, io.Discard), kong.Exit(func(int) {}))
			if err != nil {
				t.Fatal(err)
			}
			call, err := parser.Parse(words(e.call)[1:])
			if errors.Is(err, fs.ErrNotExist) {
				continue // it names a folder that this machine need not have
			}
			if err != nil {
				t.Errorf("%s: %v", e.call, err)
			} else if got := strings.Fields(call.Command()); !slices.Equal(got[:len(strings.Fields(name))], strings.Fields(name)) {
				t.Errorf("%s is a call of %q", e.call, call.Command())
			}
		}
	}
}

func called(t *testing.T, args ...string) string {
	t.Helper()
	var out, failed bytes.Buffer
	if status := run(context.Background(), args, &out, &failed); status != exitGood {
		t.Fatalf("quire %v: status %d: %s", args, status, failed.String())
	}
	return out.String()
}

func TestMan(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a", "b")
	if said := called(t, "man", "--out", out); !strings.Contains(said, " man pages in "+out) {
		t.Error(said)
	}
	page, err := os.ReadFile(filepath.Join(out, "quire-oai-harvest.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`.TH "QUIRE\-OAI\-HARVEST" 1`, `\fB\-\-out=FOLDER\fR`,
		`quire oai harvest http://museum.example:8089/modoai \-\-as package`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "quire-complete.1")); err == nil {
		t.Error("a hidden command has a page")
	}
}

func TestCompletion(t *testing.T) {
	prove.Serial(t)
	for call, want := range map[string]string{
		"":                      "inspect",
		"ins":                   "inspect",
		"oai ":                  "serve harvest check",
		"oai h":                 "harvest",
		"inspect --forma":       "--format",
		"inspect --format ":     "text json containermd html",
		"inspect --format c":    "containermd",
		"inspect --json --form": "--format",
		"help oai c":            "check",
		"pack --out ":           "", // a folder
		"pack crawl":            "",
		"compl":                 "completion", // not the hidden one
	} {
		args := append([]string{"complete", "--"}, strings.Split(call, " ")...)
		got := strings.Fields(called(t, args...))
		if call == "" {
			got = got[:1]
		}
		if strings.Join(got, " ") != want {
			t.Errorf("quire %s<Tab>: %q, want %q", call, got, want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if script := called(t, "completion", shell); !strings.Contains(script, "quire complete -- ") {
			t.Errorf("%s: %s", shell, script)
		}
	}
}

// TestReferenceIsCurrent checks that docs/reference matches the output of `make docs`.
func TestReferenceIsCurrent(t *testing.T) {
	out := t.TempDir()
	called(t, "man", "--reference", "--out", out)
	for _, name := range []string{"300_command-line.md", "305_settings.md"} {
		now, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		committed, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(now, committed) {
			t.Errorf("docs/reference/%s is older than the command line: run go generate ./cmd/quire", name)
		}
	}
}

// TestTextsAreFilledIn: no page made from the command line has a placeholder of a help text.
func TestTextsAreFilledIn(t *testing.T) {
	out := t.TempDir()
	called(t, "man", "--reference", "--out", out)
	called(t, "man", "--out", out)
	pages, err := os.ReadDir(out)
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(out, page.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if before, after, found := strings.Cut(string(text), "${"); found {
			t.Errorf("%s: %q", page.Name(), before[max(0, len(before)-60):]+"${"+after[:min(len(after), 20)])
		}
	}
	page, err := os.ReadFile(filepath.Join(out, "300_command-line.md"))
	if err != nil || !strings.Contains(string(page), "0: all. Default: 20. |") {
		t.Errorf("--most of quire thumbnail has no default: %v", err)
	}
}
