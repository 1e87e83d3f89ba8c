//go:build interop

package register

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/repository/register"
)

// audited makes a repository with audits: full, of one package, with damage, with lines left out. It returns the
// folder, the register's key, and the number of runs.
func audited(t *testing.T) (dir, key string, runs int) {
	t.Helper()
	dir = t.TempDir()
	tool, err := filepath.Abs("../../build/quire")
	if err != nil {
		t.Fatal(err)
	}
	quire := func(status int, args ...string) {
		t.Helper()
		cmd := exec.Command(tool, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "QUIRE_REPO=repo")
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != status {
			t.Fatalf("quire %s: %v\n%s", strings.Join(args, " "), cmd.ProcessState, out)
		}
		if args[0] == "audit" && args[1] != "--compact" {
			runs++
		}
	}
	quire(0, "init", "repo", "--copy", "one", "--copy", "two")
	for n := range 5 {
		crawl := fmt.Sprint("crawl-", n)
		text := fmt.Sprintf("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Record-ID: "+
			"<urn:uuid:00000000-0000-4000-8000-00000000000%d>\r\nWARC-Target-URI: http://example.org/\r\n"+
			"Content-Type: text/plain\r\nContent-Length: 1\r\n\r\n%d\r\n\r\n", n, n)
		err := os.Mkdir(filepath.Join(dir, crawl), 0o700)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, crawl, "a.warc"), []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		quire(0, "pack", crawl, "--out", fmt.Sprint("package-", n), "--id", fmt.Sprint("urn:test:", n))
		quire(0, "ingest", fmt.Sprint("package-", n))
		quire(0, "audit", "--copy", "copy-1")
	}
	quire(0, "audit", "urn:test:2")
	found, err := filepath.Glob(filepath.Join(dir, "one/ocfl/*/*/*/urn%3atest%3a3/v1/content/containers/a.warc"))
	if err != nil || len(found) != 1 || os.Remove(found[0]) != nil {
		t.Fatal(found, err)
	}
	quire(1, "audit", "--copy", "copy-1", "--copy", "copy-2")
	quire(0, "audit", "--repair", "--rate", "1GB/s")
	quire(0, "audit", "--rate", "1GB/s")
	quire(0, "audit", "--compact")
	quire(0, "copy", "add", "three")
	runs++ // the copying of all packages
	key, err = register.PublicKey(filepath.Join(dir, "repo", "register.key"))
	if err != nil {
		t.Fatal(err)
	}
	return dir, key, runs
}

// TestReaderOfRuns compares the records of audits with the leaves of the register, in both copies. Then it changes
// records: each change is found.
func TestReaderOfRuns(t *testing.T) {
	dir, key, runs := audited(t)
	log := filepath.Join(dir, "repo", "register")
	for _, name := range []string{"one", "two"} {
		lines, complaint := read(t, log, key, "--runs", filepath.Join(dir, name, "audits"))
		if got := strings.Count(strings.Join(lines, "\n"), " fixity check holds"); complaint != "" || got != runs-1 {
			t.Errorf("%s: %d of %d audits: %s", name, got, runs-1, complaint)
		}
		if !strings.Contains(strings.Join(lines, "\n"), " recovery holds") {
			t.Errorf("%s: the copying: %q", name, lines)
		}
	}
	records, err := filepath.Glob(filepath.Join(dir, "one", "audits", "*.jsonl"))
	if err != nil || len(records) != runs {
		t.Fatal(records, err)
	}
	left := 0
	for _, path := range append(records[:1:1], records[runs-4:]...) {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		left += bytes.Count(whole, []byte(`"omitted"`))
		lines := bytes.SplitAfter(whole, []byte("\n"))
		for i, line := range lines[:len(lines)-1] {
			if i%3 > 0 && i < len(lines)-4 || bytes.HasPrefix(line, []byte(`{"compaction"`)) ||
				bytes.HasPrefix(line, []byte(`{"signature"`)) && i < len(lines)-2 {
				continue // one of three is enough, and nothing covers these
			}
			changed := bytes.Join([][]byte{bytes.Join(lines[:i], nil), bytes.Join(lines[i+1:], nil)}, nil)
			refused(t, fmt.Sprintf("without line %d of %s", i, path), path, changed, log, key)
		}
		refused(t, "with a result more in "+path, path, bytes.Replace(whole, []byte(`{"finished"`),
			[]byte(`{"package":"x","copy":"copy-1","status":"good","problems":0}`+"\n"+`{"finished"`), 1), log, key)
		refused(t, "without "+path, path, nil, log, key)
	}
	if left == 0 {
		t.Error("no record has lines left out")
	}
	other, _, _ := audited(t)
	if _, complaint := read(t, log, key, "--runs", filepath.Join(other, "one", "audits")); complaint == "" {
		t.Error("the records of another repository hold")
	}
}

// refused writes other bytes to a record for a moment, or removes it, and requires that the reader complains.
func refused(t *testing.T, what, path string, changed []byte, log, key string) {
	t.Helper()
	away := path + ".away"
	err := os.Rename(path, away)
	if err == nil && changed != nil {
		err = os.WriteFile(path, changed, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, complaint := read(t, log, key, "--runs", filepath.Dir(path)); complaint == "" {
		t.Errorf("the records hold %s", what)
	}
	if err := os.Rename(away, path); err != nil {
		t.Fatal(err)
	}
}
