//go:build interop

package convert

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// pair is an ARC of the samples, its WARC from quire convert, and the findings in the ARC.
type pair struct {
	arc, warc string
	findings  map[string]int64
}

// pairs converts each ARC of the samples separately. It skips and logs files that are not ARC.
func pairs(t *testing.T) []pair {
	t.Helper()
	var all []pair
	dir := t.TempDir()
	for i, arc := range testsamples.Samples(t, "arc") {
		out := filepath.Join(dir, fmt.Sprint(i))
		cmd := exec.Command(peers.Quire(t), "convert", arc, "--out", out, "--json")
		answer, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && (!errors.As(err, &exit) || exit.ExitCode() == 2 || len(answer) == 0) {
			t.Logf("not converted: %s: %v %s", arc, err, exit.Stderr)
			continue
		}
		var result struct {
			ARCs []struct {
				Output        string           `json:"output"`
				FindingCounts map[string]int64 `json:"finding_counts"`
			} `json:"arcs"`
		}
		if err := json.Unmarshal(answer, &result); err != nil || len(result.ARCs) != 1 {
			t.Fatalf("%s: %v: %s", arc, err, answer)
		}
		all = append(all, pair{arc, filepath.Join(out, result.ARCs[0].Output), result.ARCs[0].FindingCounts})
	}
	if len(all) < 100 {
		t.Fatalf("only %d ARC files were converted", len(all))
	}
	return all
}

func warcsOf(all []pair) (files []string) {
	for _, p := range all {
		files = append(files, p.warc)
	}
	return files
}

// Peers find no errors in the converted files, except in data from the web or the crawler, which is
// unchanged.
func TestPeersFindNoFault(t *testing.T) {
	all := pairs(t)
	for _, peer := range peers.Peers {
		if peer.Name == "jhove" { // its WARC module predates WARC 1.1 and refuses all
			continue
		}
		said := peer.Ask(t, warcsOf(all))
		good, explained := 0, 0
		for _, p := range all {
			switch v := said[p.warc]; {
			case v.Word == peers.Valid:
				good++
			case excused(peer.Name, v.Reason) != "":
				explained++
			default:
				t.Errorf("%s says of the WARC made of %s: %s %s", peer.Name, p.arc, v.Word, v.Reason)
			}
		}
		t.Logf("%s: %d of %d valid, %d explained", peer.Name, good, len(all), explained)
	}
}

// excuses explain complaints of peers about a good WARC: peer, words of the complaint, reason.
var excuses = [][3]string{
	{"jwarc", "invalid HTTP header Content-Length",
		"the server, or a cut by the crawler: header and body are those of the ARC"},
	{"jwarc", "invalid HTTP message", "the head that the server sent breaks the grammar of HTTP"},
	{"jwarc", "DateTimeParseException",
		"a date to the minute, as the ARC has it: WARC 1.1, 5.4, allows it, and jwarc cannot read it"},
	{"warcio", "payload digest failed", "an answer of HTTP behind a URL of gopher: warcio looks at the URL alone"},
}

func excused(peer, reason string) string {
	for _, e := range excuses {
		if e[0] == peer && strings.Contains(reason, e[1]) {
			return e[2]
		}
	}
	return ""
}

// The WARC has the same captures as the ARC: URL, date, status and payload digest. Peers misread an
// irregular ARC; then only the number of captures must agree, except captures with an invalid date.
func TestPeersSeeTheSameCaptures(t *testing.T) {
	all := pairs(t)
	var arcs []string
	for _, p := range all {
		arcs = append(arcs, p.arc)
	}
	for _, peer := range []struct {
		name string
		ask  func(*testing.T, []string) map[string]peers.Captures
	}{{"pywb", peers.Pywb}, {"jwarc", peers.Jwarc}} {
		of, from := peer.ask(t, arcs), peer.ask(t, warcsOf(all))
		same, captures, odd := 0, 0, 0
		for _, p := range all {
			a, w := plain(of[p.arc].Captures), plain(from[p.warc].Captures)
			lost := without(a, w)
			switch {
			case len(lost) == 0:
				same++
				captures += len(a)
			case oddity(p) != "" && int64(len(w)) >= int64(len(a))-p.findings["ARC-DATE"],
				misread[filepath.Base(p.arc)] != "":
				odd++
			case len(withoutStatus(lost, w)) == 0:
				odd++
			default:
				t.Errorf("%s finds in %s (%v), and not in its WARC: %d of %d, such as %v\n the WARC has instead %v",
					peer.name, p.arc, p.findings, len(lost), len(a), lost[0], without(w, a))
			}
			for _, c := range from[p.warc].Complaints {
				if excused(peer.name, c) == "" {
					t.Errorf("%s complains of the WARC made of %s: %s", peer.name, p.arc, c)
				}
			}
		}
		t.Logf("%s: the same %d captures in %d of %d files; %d odd ones are read otherwise", peer.name, captures, same,
			len(all), odd)
	}
}

// oddities are findings in an ARC that peers ignore: they accept a wrong length, invent a status
// line or a date, read five fields instead of ten, and keep spaces in URLs.
var oddities = []string{
	"ARC-LENGTH", "ARC-TRUNCATED", "ARC-DATE", "ARC-DATE-FORM", "ARC-URL", "ARC-FIELDS", "ARC-DEFINITION",
	"ARC-CONTENT-TYPE",
	"ARC-SEPARATOR", "ARC-NO-VERSION-BLOCK", "ARC-VERSION", "ARC-VERSION-LENGTH",
}

// misread are files that a peer misreads, although Quire reports none of the oddities for them. The
// value is the reason.
var misread = map[string]string{
	"arc-2.0.arc":                  "pywb reads five fields of the ten of version 2",
	"valid-archeader-2.arc":        "pywb reads five fields of the ten of version 2",
	"valid-arcrecord-6.arc":        "an answer of HTTP behind a URL of gopher: pywb looks at the URL alone",
	"Upload4.ARC":                  "the length is wrong: pywb believes it, and takes content for a record",
	"arc_v1_with_v2_header.arc.gz": "a date to the minute, which jwarc cannot read in a WARC",
}

// withoutStatus removes the captures that have no status in the WARC. For a block without a status
// line, peers invent one for the ARC and lose its first line.
func withoutStatus(lost, warc []peers.Capture) []peers.Capture {
	var left []peers.Capture
	for _, c := range lost {
		if !slices.ContainsFunc(warc, func(w peers.Capture) bool {
			return w.URL == c.URL && w.Timestamp == c.Timestamp && w.Status == "-"
		}) {
			left = append(left, c)
		}
	}
	return left
}

func oddity(p pair) string {
	for _, code := range oddities {
		if p.findings[code] > 0 {
			return code
		}
	}
	return ""
}

// plain makes captures comparable: descriptions of the file are removed, only HTTP has a status,
// and URLs have the form of WARC.
func plain(all []peers.Capture) []peers.Capture {
	var kept []peers.Capture
	for _, c := range all {
		if strings.HasPrefix(c.URL, "filedesc:") {
			continue
		}
		if !strings.HasPrefix(c.URL, "http") {
			c.Status = "-"
		}
		kept = append(kept, c)
	}
	return kept
}

// without returns the captures of one list that are missing from the other.
func without(all, others []peers.Capture) []peers.Capture {
	var left []peers.Capture
	rest := slices.Clone(others)
	for _, c := range all {
		if i := slices.Index(rest, c); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		} else {
			left = append(left, c)
		}
	}
	return left
}
