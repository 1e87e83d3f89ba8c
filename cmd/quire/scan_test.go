package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"quire/internal/clamdtest"
)

// infected returns a record that contains EICAR.
func infected() string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:2>\r\nWARC-Date: "+
		"2024-01-02T03:04:05Z\r\n"+
		"WARC-Target-URI: http://a.org/eicar.com\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		len(clamdtest.EICAR()), clamdtest.EICAR())
}

// TestInspectForViruses scans for viruses, with the statuses and the text that a person sees.
func TestInspectForViruses(t *testing.T) {
	workplace(t)
	if err := os.WriteFile("infected.warc", []byte(container+infected()), 0o666); err != nil {
		t.Fatal(err)
	}
	clamd := clamdtest.Start(t, clamdtest.Options{})
	for _, step := range []struct {
		args   string
		status int
		want   string
	}{
		{"inspect --clamd " + clamd.Address + " crawl", 0, "viruses    none found in 1 payload\n"},
		{"inspect --clamd " + clamd.Address + " crawl", 0, "scanned    by ClamAV 1.4.6, database 27500 of Mon Nov"},
		{"inspect --clamd " + clamd.Address + " infected.warc", 1, "viruses    found in 1, of 2 scanned\n"},
		{"inspect --clamd " + clamd.Address + " infected.warc", 1,
			clamdtest.Signature + " at byte 132, http://a.org/eicar.com"},
		{"inspect --clamd " + clamd.Address + " --format containermd infected.warc", 1, "warning SCAN-INFECTED × 1"},
		{"inspect infected.warc", 0, "outcome    valid"},
		{"inspect --clamd /nonexistent/clamd crawl", 2, "clamd at /nonexistent/clamd: "},
		{"inspect --clamd /nonexistent/clamd crawl twin.warc", 2, "--clamd-optional"},
		{"inspect --clamd /nonexistent/clamd --clamd-optional crawl", 0, "viruses    not scanned\n"},
		{"inspect --clamd-optional crawl", 2, "--clamd ADDRESS"},
		{"inspect --clamd a:b:c crawl", 2, "is not an address of clamd"},
		{"pack --clamd " + clamd.Address + " --out clean crawl", 0, "viruses     none found in 1 payload\n"},
		{"pack --clamd " + clamd.Address + " --out infected infected.warc", 1,
			"viruses     found in 1, of 2 scanned\n"},
		{"validate infected", 0, "infected: valid"},
		{"pack --clamd /nonexistent/clamd --out away crawl", 2, "--clamd-optional"},
		{"pack --clamd /nonexistent/clamd --clamd-optional --out away crawl", 0, "viruses     not scanned\n"},
		{"explain SCAN-INFECTED", 0, "reports the payload as infected"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("%s: status %d, want %d with %q:\n%s%s", step.args, status, step.status, step.want, out, errs)
		}
	}
	_, out, _ := call(t, "inspect", "--json", "--clamd", clamd.Address, "infected.warc")
	var got struct {
		Scan struct {
			Outcome           string
			Scanned, Infected int64
			Scanners          []struct{ Name, Database string }
			Found             []struct {
				Record, URI, Signature string
				Offset                 int64
			}
			Reasons []any
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	s := got.Scan
	if s.Outcome != "infected" || s.Scanned != 2 || s.Infected != 1 || s.Reasons == nil ||
		s.Scanners[0].Name != "ClamAV" ||
		s.Found[0].Record != "<urn:x:2>" || s.Found[0].Offset != int64(len(container)) ||
		s.Found[0].URI != "http://a.org/eicar.com" {
		t.Errorf("%+v from %s", s, out)
	}
}
