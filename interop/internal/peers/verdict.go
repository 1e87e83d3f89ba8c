package peers

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// Verdict is the result of one tool for one file.
type Verdict struct {
	Word   string // Valid, Invalid or Refused
	Reason string
}

// The possible verdicts.
const (
	Valid   = "valid"
	Invalid = "invalid"
	Refused = "refused" // the tool rejects the file as a container, or crashes
)

// Peer is a tool that returns verdicts. Each runs once for all files.
type Peer struct {
	Name string
	ask  func(t *testing.T, files []string) string
}

// Peers lists the tools in the order of the columns of docs/explanation/730_verdicts.md.
var Peers = []Peer{
	{"jwat", judge("JwatTest", "java")},
	{"jhove", judge("JhoveModules", "jhove")},
	{"jwarc", judge("JwarcValidate", "java")},
	{"warcio", func(t *testing.T, files []string) string {
		return Python(t, filepath.Join(here(), "warcio_check.py"), files)
	}},
}

func judge(driver, jars string) func(*testing.T, []string) string {
	return func(t *testing.T, files []string) string {
		return Java(t, jars, files, filepath.Join(here(), driver+".java"), filepath.Join(here(), "Asked.java"))
	}
}

// Ask returns the peer's verdict for each file. Asked.java describes the form of the answer.
func (p Peer) Ask(t *testing.T, files []string) map[string]Verdict {
	t.Helper()
	said, err := parse(p.ask(t, files))
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	for _, file := range files {
		if _, ok := said[file]; !ok {
			t.Fatalf("%s: no answer for %s", p.Name, file)
		}
	}
	return said
}

func parse(answer string) (map[string]Verdict, error) {
	said := map[string]Verdict{}
	for line := range strings.Lines(answer) {
		cells := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(cells) != 3 || cells[1] != Valid && cells[1] != Invalid && cells[1] != Refused {
			return nil, fmt.Errorf("invalid line from the driver: %q", line)
		}
		said[cells[0]] = Verdict{cells[1], cells[2]}
	}
	return said, nil
}
