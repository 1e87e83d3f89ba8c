package peers

import (
	"path/filepath"
	"strings"
	"testing"
)

// Capture is a peer's description of one capture. Digest is the digest of the payload, in the
// peer's notation.
type Capture struct{ URL, Timestamp, Status, Digest string }

// Captures is a peer's result for one file.
type Captures struct {
	Captures   []Capture
	Complaints []string
}

// Pywb indexes files as pywb does.
func Pywb(t *testing.T, files []string) map[string]Captures {
	t.Helper()
	return captures(t, files, Python(t, filepath.Join(here(), "pywb_captures.py"), files))
}

// Jwarc lists the captures that jwarc finds.
func Jwarc(t *testing.T, files []string) map[string]Captures {
	t.Helper()
	return captures(t, files, Java(t, "java", files, filepath.Join(here(), "JwarcCaptures.java")))
}

// captures reads an answer in the form that pywb_captures.py describes.
func captures(t *testing.T, files []string, answer string) map[string]Captures {
	t.Helper()
	all := map[string]Captures{}
	var name string
	var c Captures
	for line := range strings.Lines(answer) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case cells[0] == "file" && len(cells) == 2:
			name, c = cells[1], Captures{}
		case cells[0] == "capture" && len(cells) == 5:
			c.Captures = append(c.Captures, Capture{cells[1], cells[2], cells[3], cells[4]})
		case cells[0] == "complaint":
			c.Complaints = append(c.Complaints, strings.Join(cells[1:], " "))
		case cells[0] == "end":
			all[name] = c
		default:
			t.Fatalf("invalid line from the driver: %q", line)
		}
	}
	for _, file := range files {
		if _, ok := all[file]; !ok {
			t.Fatalf("no answer for %s", file)
		}
	}
	return all
}
