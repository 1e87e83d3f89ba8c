package pack

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/clamdtest"
	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/antivirus"
)

// scannerAt returns a scanner for a clamd.
func scannerAt(t *testing.T, address string, optional bool) *antivirus.Scanner {
	t.Helper()
	s, err := antivirus.New(address, antivirus.Options{Optional: optional})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The package records its virus check, and still has all its input.
func TestVirusCheck(t *testing.T) {
	infected := good + record("resource", clamdtest.EICAR(), "WARC-Target-URI: http://x.example/eicar.com",
		"Content-Type: text/plain")
	for _, c := range []struct {
		name            string
		away            bool
		limit           int64
		outcome         model.ScanOutcome
		infected        int64
		says, saysNever []string
	}{
		{"one is infected", false, 0, model.ScanInfected, 1,
			[]string{"virus check", "viral, failed but forced: 1 bytestream of 3 scanned",
				"infected: Eicar-Test-Signature, record &lt;urn:x:resource&gt; at byte ",
				"68 bytes, http://x.example/eicar.com", "no virus detected; 2 bytestreams scanned",
				"eventOutcome>no virus detected</", "eventOutcome>viral, failed but forced</",
				"1.4.6, database 27500 of Mon Nov  3 09:00:00 2025", `ID="EVT-vir-c2"`},
			[]string{"SCAN-INFECTED, 1 time", "AGT-scanner-2"}},
		{"one is too large", false, 60, model.ScanIncomplete, 0,
			[]string{"no virus detected in 2 bytestreams; 1 bytestream not scanned",
				"not scanned: 1 bytestream, it is larger than clamd takes", "eventOutcome/war\">warning</"},
			[]string{"viral"}},
		{"nobody there", true, 0, model.ScanNotDone, 0, []string{"virus check", "not scanned: clamd was away"},
			[]string{"no virus detected", "AGT-scanner"}},
	} {
		clamd := clamdtest.Start(t, clamdtest.Options{Limit: c.limit})
		if c.away {
			clamd.Stop()
		}
		dir := crawlOf(t, map[string]string{"a.warc": good, "b.warc": infected})
		o := options(t)
		o.Scan = scannerAt(t, clamd.Address, true)
		r := mustPack(t, o, dir)
		if r.Scan == nil || r.Scan.Outcome != c.outcome || r.Scan.Infected != c.infected || r.Outcome != model.Valid {
			t.Errorf("%s: %+v, %s", c.name, r.Scan, r.Outcome)
		}
		mets := read(t, o.Out, "mets.xml")
		for _, want := range c.says {
			if !strings.Contains(mets, want) {
				t.Errorf("%s: the METS does not say %q", c.name, want)
			}
		}
		for _, never := range c.saysNever {
			if strings.Contains(mets, never) {
				t.Errorf("%s: the METS says %q", c.name, never)
			}
		}
		if read(t, o.Out, "containers/b.warc") != infected {
			t.Errorf("%s: the container is not as it was received", c.name)
		}
		check(t, o.Out, aip.Options{})
		t.Run("schemas", func(t *testing.T) { check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
	}
}

// If a required clamd is missing or fails during a run, no package is made, and the source is
// unchanged.
func TestNoPackageWithoutClamd(t *testing.T) {
	for _, late := range []bool{false, true} {
		clamd := clamdtest.Start(t, clamdtest.Options{Answer: func([]byte) string { return clamdtest.Close }})
		if !late {
			clamd.Stop()
		}
		dir := crawlOf(t, map[string]string{"a.warc": good})
		o := options(t)
		o.Scan = scannerAt(t, clamd.Address, false)
		_, err := Pack(context.Background(), []string{dir}, o)
		var away *antivirus.AwayError
		if !errors.As(err, &away) {
			t.Errorf("late %v: %v", late, err)
		}
		if left, err := os.ReadDir(filepath.Dir(o.Out)); err != nil || len(left) > 0 {
			t.Errorf("late %v: left behind %v, %v", late, left, err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "a.warc")); err != nil || string(got) != good {
			t.Errorf("late %v: the source was changed, %v", late, err)
		}
	}
}

// Without a virus check, the package has no statement on viruses.
func TestNoVirusCheck(t *testing.T) {
	o := options(t)
	r := mustPack(t, o, crawlOf(t, map[string]string{"a.warc": good}))
	if mets := read(t, o.Out, "mets.xml"); r.Scan != nil || strings.Contains(mets, "virus") {
		t.Errorf("%+v", r.Scan)
	}
}
