//go:build interop

// Package shell tests the completion of quire's commands in shells, and reads its man pages with
// mandoc.
package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// quire adds build/quire of interop/run to the PATH.
func quire(t *testing.T) {
	t.Helper()
	build, err := filepath.Abs(filepath.Join("..", "..", "build"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", build+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("HOME", t.TempDir())
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v: %s", name, args, err, out)
	}
	return string(out)
}

// completions are incomplete arguments of quire, with some of the words that a shell must offer.
var completions = []struct{ begun, want string }{
	{"oai ", "serve harvest check"}, {"inspect --format ", "text json containermd html"},
	{"inspect --ident", "--identify"}, {"export --a", "--as --at"},
}

func TestBash(t *testing.T) {
	quire(t)
	for _, c := range completions {
		words := "quire " + c.begun
		got := output(t, "bash", "-c",
			`eval "$(quire completion bash)"; IFS=' ' read -ra COMP_WORDS <<<"$1"; [[ $1 != *" " ]] || `+
				`COMP_WORDS+=(""); `+
				`COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _quire; printf '%s\n' "${COMPREPLY[@]}"`, "bash", words)
		if strings.Join(strings.Fields(got), " ") != c.want {
			t.Errorf("%s<Tab>: %q, want %q", words, got, c.want)
		}
	}
}

func TestFish(t *testing.T) {
	quire(t)
	for _, c := range completions {
		got := output(t, "fish", "--no-config", "-c", `quire completion fish | source; complete -C "quire `+c.begun+`"`)
		for _, want := range strings.Fields(c.want) {
			if !strings.Contains("\n"+got, "\n"+want) {
				t.Errorf("quire %s<Tab>: no %s in %q", c.begun, want, got)
			}
		}
	}
}

// TestZsh presses the key in a terminal of zsh (zpty).
func TestZsh(t *testing.T) {
	quire(t)
	for _, c := range completions {
		got := output(t, "zsh", "-f", "-c",
			`zmodload zsh/zpty; zpty z zsh -f -i; zpty -w z 'PS1=; autoload -Uz compinit; compinit -u; eval `+
				`"$(quire completion zsh)"; LISTMAX=0; print rea""dy';
zpty -r -m z line '*ready*'; zpty -n -w z "quire $1"$'\t\t'; sleep 2; said=; while zpty -r -t z line; do `+
				`said+=$line; done; print -r -- "$said"; zpty -d z`, "zsh", c.begun)
		for _, want := range strings.Fields(c.want) {
			if !strings.Contains(got, want) {
				t.Errorf("quire %s<Tab>: no %s in %q", c.begun, want, got)
			}
		}
	}
}

func TestMandoc(t *testing.T) {
	quire(t)
	out := t.TempDir()
	output(t, "quire", "man", "--out", out)
	pages, err := filepath.Glob(filepath.Join(out, "*.1"))
	if err != nil || len(pages) < 30 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	said, _ := exec.Command("mandoc", append([]string{"-T", "lint", "-W", "warning"}, pages...)...).CombinedOutput()
	for line := range strings.Lines(string(said)) {
		// The pages have the version instead of a date, so that the same source makes the same
		// pages.
		if !strings.Contains(line, "missing date") {
			t.Error(line)
		}
	}
	if text := output(t, "mandoc", "-T", "utf8", filepath.Join(out, "quire-pack.1")); !strings.Contains(text,
		"quire pack crawl/ --out package") {
		t.Errorf("the example is not in\n%s", text)
	}
}
