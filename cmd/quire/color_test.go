package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestChosenColor(t *testing.T) {
	for call, want := range map[string]string{
		"list":                         "",
		"list --color never":           "never",
		"--color=always list":          "always",
		"list --color=never --color x": "x",
		"list --color":                 "",
		"complete -- --color=never":    "",
	} {
		if got := chosenColor(strings.Fields(call)); got != want {
			t.Errorf("%s: %q, want %q", call, got, want)
		}
	}
}

// Colours are only for people on a terminal, unless they turned colours off.
func TestColored(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminal can be made here: ", err)
	}
	defer func() { _ = terminal.Close() }() // it is of the test
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }() // it stays empty
	for _, c := range []struct {
		name, chosen string
		out          any
		environment  map[string]string
		want         bool
	}{
		{"a terminal", "", terminal, map[string]string{"TERM": "xterm"}, true},
		{"auto", "auto", terminal, map[string]string{"TERM": "xterm"}, true},
		{"NO_COLOR", "auto", terminal, map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
		{"NO_COLOR, empty", "auto", terminal, map[string]string{"TERM": "xterm", "NO_COLOR": ""}, true},
		{"a dumb terminal", "auto", terminal, map[string]string{"TERM": "dumb"}, false},
		{"never", "never", terminal, map[string]string{"TERM": "xterm"}, false},
		{"a file", "", file, map[string]string{"TERM": "xterm"}, false},
		{"a pipe", "", &bytes.Buffer{}, map[string]string{"TERM": "xterm"}, false},
		{"always", "always", file, map[string]string{"NO_COLOR": "1"}, true},
	} {
		got := colored(c.chosen, c.out, func(name string) string { return c.environment[name] })
		if got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

// With colours the words are the same, and stand where they stood.
func TestColors(t *testing.T) {
	workplace(t)
	t.Setenv("QUIRE_CONFIG", "")
	for _, c := range []struct {
		args, want string
	}{
		{"inspect bad.warc", "  outcome    \x1b[31minvalid\x1b[0m: "},
		{"inspect crawl", "  outcome    \x1b[32mvalid\x1b[0m: 1 info\n"},
		{"pack bad.warc --out p", "  \x1b[31minvalid\x1b[0m     containers/bad.warc"},
		{"pack crawl --out p2", "  \x1b[32mvalid\x1b[0m       containers/a.warc"},
		{"validate p2", "p2: \x1b[32mvalid\x1b[0m\n"},
		{"help", "\n\x1b[1mConvert it to WARC:\x1b[0m\n"},
		{"help pack", "\x1b[1mUsage:\x1b[0m quire pack"},
		{"help pack", "\n\x1b[1mExamples:\x1b[0m\n"},
		{"list", "\x1b[1;31mquire:\x1b[0m no repository"},
		{"lisst", "\x1b[1;31mquire:\x1b[0m "},
	} {
		args := strings.Fields(c.args)
		_, out, errs := call(t, append(args, "--color", "always")...)
		if !strings.Contains(out+errs, c.want) {
			t.Errorf("quire %s: no %q in %q", c.args, c.want, out+errs)
		}
	}
	plain := func(args ...string) string {
		_, out, errs := call(t, args...)
		return out + errs
	}
	coloured := plain("inspect", "bad.warc", "--color=always")
	for _, code := range []string{"\x1b[31m", "\x1b[33m", "\x1b[0m"} {
		coloured = strings.ReplaceAll(coloured, code, "")
	}
	if want := plain("inspect", "bad.warc"); coloured != want || strings.Contains(want, "\x1b") {
		t.Errorf("without its colours it is\n%s, and was\n%s", coloured, want)
	}
	if got := fmt.Sprintf("%-8s|%8s|", coloured8("valid"), coloured8("valid")); got != "\x1bvalid   |   \x1bvalid|" {
		t.Errorf("%q", got)
	}
}

func coloured8(word string) any { return coloured{word, "\x1b" + word} }
