//go:build interop

package verdicts

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A verdict is what one tool says of one file.
type verdict struct {
	word   string // valid, invalid or refused
	reason string
}

const (
	valid   = "valid"
	invalid = "invalid"
	refused = "refused" // it does not take the file for a container, or breaks down on it
)

// A peer is a tool that we did not write. Each is asked once, for all files.
type peer struct {
	name string
	ask  func(t *testing.T, files []string) map[string]verdict
}

// The peers, in the order of the columns.
var peers = []peer{
	{"jwat", func(t *testing.T, files []string) map[string]verdict { return java(t, "JwatTest", "java", files) }},
	{"jhove", func(t *testing.T, files []string) map[string]verdict { return java(t, "JhoveModules", "jhove", files) }},
	{"jwarc", func(t *testing.T, files []string) map[string]verdict { return java(t, "JwarcValidate", "java", files) }},
	{"warcio", func(t *testing.T, files []string) map[string]verdict {
		return ask(t, files, filepath.Join(tools(t), "venv", "bin", "python"), "warcio_check.py")
	}},
}

// tools is the folder where interop/run puts the peers.
func tools(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../build/interop")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("the peers are not installed; run them with `bash interop/run verdicts`: %v", err)
	}
	return dir
}

// java compiles a driver against the jars of a folder below build/interop, and asks it in one virtual machine.
func java(t *testing.T, driver, jars string, files []string) map[string]verdict {
	t.Helper()
	classes := t.TempDir()
	path := filepath.Join(tools(t), jars, "*")
	if said, err := exec.Command("javac", "-d", classes, "-cp", path, "Asked.java", driver+".java").CombinedOutput(); err != nil {
		t.Fatalf("javac %s: %v\n%s", driver, err, said)
	}
	return ask(t, files, "java", "-cp", classes+string(os.PathListSeparator)+path, driver)
}

// ask runs a driver and reads its answer, whose form is described in Asked.java.
func ask(t *testing.T, files []string, command string, args ...string) map[string]verdict {
	t.Helper()
	cmd := exec.Command(command, args...)
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n") + "\n")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, complaint.String())
	}
	said, err := parse(string(answer))
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	for _, file := range files {
		if _, ok := said[file]; !ok {
			t.Fatalf("%s: no answer for %s", cmd, file)
		}
	}
	return said
}

func parse(answer string) (map[string]verdict, error) {
	said := map[string]verdict{}
	for line := range strings.Lines(answer) {
		cells := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(cells) != 3 || cells[1] != valid && cells[1] != invalid && cells[1] != refused {
			return nil, fmt.Errorf("a line that a driver should not write: %q", line)
		}
		said[cells[0]] = verdict{cells[1], cells[2]}
	}
	return said, nil
}
