package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"quire/format/fault"
	"quire/internal/clamdtest"
	"quire/model"
	"quire/preserve/antivirus"
)

// scannerOf starts a clamd and returns a Scanner for it.
func scannerOf(t *testing.T, o clamdtest.Options, optional bool) *antivirus.Scanner {
	t.Helper()
	s, err := antivirus.New(clamdtest.Start(t, o).Address, antivirus.Options{Optional: optional, Connections: 3})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func scanTriggers() map[fault.Code]string {
	return map[fault.Code]string{
		"SCAN-INFECTED": warcinfo + response("HTTP/1.1 200 OK\r\n\r\n"+clamdtest.EICAR()),
		"SCAN-NOT-DONE": warcinfo + segmentOf(2, "x"),
	}
}

// EICAR is found in every form that a browser decodes, at its record, and nowhere else.
func TestScan(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	virus := "<html>" + clamdtest.EICAR()
	gz := string(zip(t, virus))
	long := strings.Repeat("no virus yet ", 100_000) + clamdtest.EICAR()
	for _, c := range []struct{ name, file, want string }{
		{"plain", response(ok + "\r\n" + clamdtest.EICAR()), "infected"},
		{"in HTML", response(ok + "Content-Type: text/html\r\n\r\n" + virus), "infected"},
		{"in chunks", response(ok + "Transfer-Encoding: chunked\r\n\r\n" + chunkedOf(virus)), "infected"},
		{"coded", response(ok + "Content-Encoding: gzip\r\n\r\n" + gz), "infected"},
		{"coded, in chunks", response(ok + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" +
			chunkedOf(gz)), "infected"},
		{"coded, and cut", response(ok + "Content-Encoding: gzip\r\n\r\n" + gz[:len(gz)-4]), "infected"},
		{"said to be coded", response(ok + "Content-Encoding: gzip\r\n\r\n" + virus), "infected"},
		{"coded in a way that is not known", response(ok + "Content-Encoding: x\r\n\r\n" + virus), "infected"},
		{"said to be in chunks", response(ok + "Transfer-Encoding: chunked\r\n\r\n" + virus), "infected"},
		{"behind damage in the chunks", response(ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n" + virus),
			"infected"},
		{"long", response(ok + "\r\n" + long), "infected"},
		{"long and coded", response(ok + "Content-Encoding: gzip\r\n\r\n" + string(zip(t, long))), "infected"},
		{"a part", response("HTTP/1.1 206 Partial Content\r\n\r\n" + virus), "infected"},
		{"truncated", response(ok+"\r\n"+virus, "WARC-Truncated: length"), "infected"},
		{"HTTP/0.9", response(virus), "infected"},
		{"a resource", record("resource", virus, target, "Content-Type: text/html"), "infected"},
		{"metadata", record("metadata", virus), "infected"},
		{"no HTTP", record("response", virus, "WARC-Target-URI: dns:a.org", "Content-Type: text/dns"), "infected"},
		{"sent to the server", record("request", "POST / HTTP/1.1\r\n\r\n"+virus, target,
			"Content-Type: application/http;msgtype=request"), "infected"},
		{"with a revisit", record("revisit", ok+"\r\n"+virus, target, identical, refers, asHTTP), "infected"},
		{"a segment", segmentOf(2, virus), "infected"},
		{"a segment without", segmentOf(2, "x"), "not-scanned"},
		{"clean", response(ok + "\r\nhello"), "clean"},
		{"clean, coded", response(ok + "Content-Encoding: gzip\r\n\r\n" + string(zip(t, "hello"))), "clean"},
		{"nothing", response(ok + "\r\n"), ""},
	} {
		var told []model.Record
		by := scannerOf(t, clamdtest.Options{}, false)
		got := inspectBytes(t, []byte(warcinfo+c.file+record("metadata", "clean")),
			Options{Scan: by, Record: func(r model.Record) error {
				told = append(told, r)
				return nil
			}})
		if string(told[1].Scan) != c.want || told[0].Scan != model.ScanClean || told[2].Scan != model.ScanClean {
			t.Errorf("%s: records %q %q %q, want %q in the midst", c.name, told[0].Scan, told[1].Scan, told[2].Scan,
				c.want)
		}
		infected := c.want == "infected"
		if infected != (got.Scan.Outcome == model.ScanInfected) || infected != (len(got.Scan.Found) == 1) ||
			infected != (got.FindingCounts["SCAN-INFECTED"] == 1) {
			t.Errorf("%s: %+v, %v", c.name, got.Scan, got.FindingCounts)
		}
		if infected && (got.Scan.Found[0].Offset != told[1].Offset || got.Scan.Found[0].Record != told[1].ID ||
			got.Scan.Found[0].Signature != clamdtest.Signature || got.Scan.Found[0].URI != told[1].URI ||
			told[1].Signature != clamdtest.Signature) {
			t.Errorf("%s: found %+v, reported %+v", c.name, got.Scan.Found, told[1])
		}
	}
}

// clamd receives exactly the decoded content, complete and once.
func TestScansWhatIsServed(t *testing.T) {
	clamd := clamdtest.Start(t, clamdtest.Options{})
	by, err := antivirus.New(clamd.Address, antivirus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	inspectBytes(t, []byte(response("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"+
		chunkedOf(string(zip(t, "served"))))), Options{Scan: by})
	if got := clamd.Streams(); len(got) != 1 || string(got[0]) != "served" {
		t.Errorf("%q", got)
	}
}

// The sums are exact although the list is limited, and two passes report the same in the same
// order.
func TestScanSums(t *testing.T) {
	var file bytes.Buffer
	file.WriteString(warcinfo)
	for i := range maxFound + 50 {
		file.WriteString(response("HTTP/1.1 200 OK\r\n\r\n" + clamdtest.EICAR() + fmt.Sprint(i)))
		file.WriteString(response("HTTP/1.1 200 OK\r\n\r\n" + fmt.Sprint(i)))
	}
	file.WriteString(response("HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", 4000)))
	by := scannerOf(t, clamdtest.Options{Limit: 3000}, false)
	var first []model.Finding
	for range 2 {
		var all []model.Finding
		s := inspectBytes(t, file.Bytes(),
			Options{Scan: by, Finding: func(f model.Finding) { f.Record = nil; all = append(all, f) }}).Scan
		if s.Infected != maxFound+50 || s.Scanned != 2*(maxFound+50)+1 || s.NotScanned != 1 ||
			len(s.Found) != maxFound {
			t.Errorf("%d infected, %d scanned, %d not, %d listed", s.Infected, s.Scanned, s.NotScanned, len(s.Found))
		}
		if len(s.Reasons) != 1 || !strings.Contains(s.Reasons[0].Name, "StreamMaxLength") ||
			s.Reasons[0].Bytes != 4000 {
			t.Errorf("reasons %v", s.Reasons)
		}
		if len(s.Scanners) != 1 ||
			s.Scanners[0].String() != "ClamAV 1.4.6, database 27500 of Mon Nov  3 09:00:00 2025" {
			t.Errorf("scanners %v", s.Scanners)
		}
		if first == nil {
			first = all
		}
		if !slices.Equal(all, first) {
			t.Error("two passes report in different order")
		}
	}
}

// If clamd is missing or fails during a run, the pass ends, or reports the unscanned records. It
// never reports them as clean.
func TestScanAway(t *testing.T) {
	file := []byte(warcinfo + strings.Repeat(response("HTTP/1.1 200 OK\r\n\r\nhello"), 20))
	for _, c := range []struct {
		name     string
		answered int // streams answered before it fails
		optional bool
		want     model.ScanOutcome // "" if the pass ends
	}{
		{"from the beginning", -1, false, ""},
		{"from the beginning, and may be", -1, true, model.ScanNotDone},
		{"in mid-run", 5, false, ""},
		{"in mid-run, and may be", 5, true, model.ScanIncomplete},
		{"after the last", 21, false, model.ScanClean},
	} {
		before := runtime.NumGoroutine()
		var clamd *clamdtest.Server
		n := 0
		gone := make(chan struct{}, 100)
		clamd = clamdtest.Start(t, clamdtest.Options{Answer: func([]byte) string {
			gone <- struct{}{}
			if len(gone) > c.answered {
				return clamdtest.Close
			}
			return ""
		}})
		if c.answered < 0 {
			clamd.Stop()
		}
		by, err := antivirus.New(clamd.Address, antivirus.Options{Optional: c.optional, Connections: 1})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Reader(context.Background(), bytes.NewReader(file),
			Options{Scan: by, Record: func(model.Record) error { n++; return nil }})
		var away *antivirus.AwayError
		switch {
		case c.want == "":
			if !errors.As(err, &away) || !strings.Contains(err.Error(), clamd.Address) {
				t.Errorf("%s: %v", c.name, err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case got.Scan.Outcome != c.want || got.Scan.Scanned+got.Scan.NotScanned != 21 || got.Records.Total != 21 ||
			n != 21:
			t.Errorf("%s: %+v of %d records, %d reported", c.name, got.Scan, got.Records.Total, n)
		}
		clamd.Stop()
		allEnded(t, before)
	}
}

// Without a scanner there is no scan result. Files that are not containers are not scanned.
func TestScanNotAsked(t *testing.T) {
	if got := inspectBytes(t, []byte(warcinfo), Options{}); got.Scan != nil {
		t.Errorf("%+v", got.Scan)
	}
	if got := inspectBytes(t, []byte("hello"),
		Options{Scan: scannerOf(t, clamdtest.Options{}, false)}); got.Scan != nil {
		t.Errorf("%+v", got.Scan)
	}
}
