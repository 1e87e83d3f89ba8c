package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDefaults checks that a file sets values of flags, for all commands or for one. The command
// line and the environment take precedence.
func TestDefaults(t *testing.T) {
	dir := t.TempDir()
	one, other := filepath.Join(dir, "one"), filepath.Join(dir, "other")
	t.Setenv("QUIRE_CONFIG", "")
	for _, repo := range []string{one, other} {
		if status, _, errs := call(t, "init", repo); status != exitGood {
			t.Fatal(errs)
		}
	}
	file := filepath.Join(dir, "xdg", "quire", "quire.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# where packages are kept\nrepo: " + one +
		"\naudit:\n  json: true\nsearch:\n  host: [a.example, b.example]\n")
	for _, c := range []struct {
		env  []string // name, value
		call string
		want string // the beginning of the output
	}{
		{[]string{"QUIRE_CONFIG", file}, "audit", "{"},
		{[]string{"QUIRE_CONFIG", file}, "audit --json=false", "copy-1: 0 packages"},
		{[]string{"XDG_CONFIG_HOME", filepath.Join(dir, "xdg")}, "audit", "{"},
		{[]string{"XDG_CONFIG_DIRS", filepath.Join(dir, "none") + ":" + filepath.Join(dir, "xdg"), "XDG_CONFIG_HOME",
			dir}, "audit", "{"},
	} {
		t.Run(c.call, func(t *testing.T) {
			if c.env[0] != "QUIRE_CONFIG" {
				t.Setenv("QUIRE_CONFIG", "") // restored at the end
				_ = os.Unsetenv("QUIRE_CONFIG")
			}
			for i := 0; i < len(c.env); i += 2 {
				t.Setenv(c.env[i], c.env[i+1])
			}
			status, out, errs := call(t, strings.Fields(c.call)...)
			if status != exitGood || !strings.HasPrefix(strings.TrimSpace(out), c.want) {
				t.Errorf("%s with %v: status %d, %s%s", c.call, c.env, status, out, errs)
			}
		})
	}
	t.Setenv("QUIRE_CONFIG", file)
	// The command line precedes the environment, and the environment precedes the file.
	gone := filepath.Join(dir, "gone")
	t.Setenv("QUIRE_REPO", gone)
	if status, _, errs := call(t, "list"); status != exitCall || !strings.Contains(errs, gone) {
		t.Errorf("the environment: status %d, %s", status, errs)
	}
	if status, out, errs := call(t, "list", "--repo", other); status != exitGood {
		t.Errorf("the call: status %d, %s%s", status, out, errs)
	}
	for text, want := range map[string]string{
		"reop: x\n":                "line 1",
		"repo: x\nlist: {reop: y}": "quire list has no flag of this name",
		"readers: {}\n":            "QUIRE_SERVE_CONFIG",
		"list:\n  - a\n":           "line",
	} {
		write(text)
		if status, _, errs := call(t, "list"); status != exitCall || !strings.Contains(errs, want) ||
			!strings.Contains(errs, file) {
			t.Errorf("%q: status %d, %s", text, status, errs)
		}
	}
	if status, out, _ := call(t, "help"); status != exitGood || out == "" {
		t.Error("no help while the file is wrong")
	}
}
