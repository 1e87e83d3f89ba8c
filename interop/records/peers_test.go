//go:build interop

package records

import (
	"bufio"
	"bytes"
	"fmt"
	"quire/interop/internal/peers"
	"strconv"
	"strings"
	"testing"
)

// listing is one reader's view of one file.
type listing struct {
	kind       string // kindARC or kindWARC; set only for Quire
	packed     bool   // the file is compressed; set only for Quire
	entries    []entry
	complaints []string
}

const (
	kindARC  = "ARC"
	kindWARC = "WARC"
)

// entry is one record, with the properties that all readers report.
type entry struct {
	offset int64
	length int64 // -1 if not reported
	kind   string
	target string
}

func warcio(t *testing.T, files []string) map[string]listing {
	return listed(t, files, peers.Python(t, "warcio_list.py", files))
}

func jwarc(t *testing.T, files []string) map[string]listing {
	return listed(t, files, peers.Java(t, "java", files, "JwarcList.java"))
}

// listed parses the output of a lister for all files.
func listed(t *testing.T, files []string, answer string) map[string]listing {
	t.Helper()
	got, err := parseAnswer([]byte(answer))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, ok := got[f]; !ok {
			t.Fatalf("no answer for %s", f)
		}
	}
	return got
}

// parseAnswer parses the form that warcio_list.py describes.
func parseAnswer(answer []byte) (map[string]listing, error) {
	got := map[string]listing{}
	var name string
	var l listing
	lines := bufio.NewScanner(bytes.NewReader(answer))
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		cells := strings.SplitN(lines.Text(), "\t", 5)
		switch {
		case cells[0] == "file" && len(cells) == 2:
			name, l = cells[1], listing{}
		case cells[0] == "record" && len(cells) == 5:
			offset, err := strconv.ParseInt(cells[1], 10, 64)
			if err != nil {
				return nil, err
			}
			length, err := strconv.ParseInt(cells[2], 10, 64)
			if err != nil {
				return nil, err
			}
			l.entries = append(l.entries, entry{offset, length, cells[3], cells[4]})
		case cells[0] == "complaint":
			l.complaints = append(l.complaints, strings.Join(cells[1:], " "))
		case cells[0] == "end":
			got[name] = l
		default:
			return nil, fmt.Errorf("a line that the lister should not write: %q", lines.Text())
		}
	}
	return got, lines.Err()
}
