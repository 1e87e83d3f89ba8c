package pack

import (
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
)

// A container that a list names and the source lacks is in the METS and in the result.
func TestAbsentContainersAreTold(t *testing.T) {
	const log = "2024-01-02T03:04:05.000Z 200 5 http://x.example/ - - text/html #001 20240102030405000+5 - - -\n" +
		"2024-01-02T03:04:06.000Z 200 5 http://x.example/lost - - text/html #001 20240102030406000+5 - - -\n"
	dir := crawlOf(t, map[string]string{"job/arcs/x.warc": good, "job/logs/crawl.log": log,
		"job/reports/archivefiles-report.txt": "[ARCHIVEFILE] [Closed] [Size]\nx.warc 2024-01-02T03:05:00Z 100\n" +
			"y.warc 2024-01-02T03:05:00Z 77\n"})
	for _, version := range []SchemaVersion{Current, Legacy} {
		o := options(t)
		o.ID, o.SchemaVersion = "x", version
		f, err := Foresee(t.Context(), []string{dir}, o)
		if err != nil || !f.Incomplete() || len(f.Completeness) != 1 || len(f.Completeness[0].Sizes) != 0 {
			t.Fatalf("the dry run: %v, %+v", err, f)
		}
		r := mustPack(t, o, dir)
		if !r.Incomplete() || len(r.Completeness) != 1 || r.Completeness[0].Absent != 1 || r.Outcome != model.Valid {
			t.Fatalf("result %+v", r.Completeness)
		}
		d := readBack(t, o.Out)
		linked(t, d)
		e := d.events["x#"+aip.CompletenessEventID(1)]
		if e.Type.Text != "validation" || e.Outcomes[0].Outcome.Text != "fail" {
			t.Errorf("event %+v", e)
		}
		for _, want := range []string{"expected: 2 containers; 1 present, 1 absent, 0 absent and empty by their list",
			"absent: y.warc; 77 bytes; listed by job/reports/archivefiles-report.txt",
			"log: 2 URLs reported as stored, 1 of these in no record"} {
			if !slices.Contains(e.Outcomes[0].Notes, want) {
				t.Errorf("no note %q in %q", want, e.Outcomes[0].Notes)
			}
		}
		mets := read(t, o.Out, "mets.xml")
		if strings.Contains(mets, "x.example/lost") {
			t.Error("the METS has a URL of the log that access rules cannot see")
		}
		if !strings.Contains(mets, `<harvest:container name="y.warc" bytes="77" absent="true"/>`) {
			t.Error("the table of absent containers lacks y.warc")
		}
		if !strings.Contains(mets, `EVT-complete-1`) || !strings.Contains(mets, `ADMID="EVT-capture EVT-complete-1`) {
			t.Error("the harvest does not name the event")
		}
		check(t, o.Out, aip.Options{})
	}
}

// A source with nothing to compare has no event.
func TestNothingToCompare(t *testing.T) {
	o := options(t)
	r := mustPack(t, o, crawlOf(t, map[string]string{"x.warc": good}))
	if len(r.Completeness) != 0 || strings.Contains(read(t, o.Out, "mets.xml"), "EVT-complete") {
		t.Errorf("compared: %+v", r.Completeness)
	}
}

// A job of NetarchiveSuite without its data is incomplete.
func TestSampleWithoutItsContainer(t *testing.T) {
	o := options(t)
	r := mustPack(t, o, testsamples.Path(t, "samples/netarchivesuite_compression/history/ORIGINALS/3-metadata-1.arc"))
	if len(r.Completeness) != 1 {
		t.Fatalf("%d comparisons", len(r.Completeness))
	}
	e := readBack(t, o.Out).events[r.ID+"#EVT-capture"]
	if e.Outcomes[0].Outcome.Text != "success" { // of the run, not of the package
		t.Errorf("the run ended with %q", e.Outcomes[0].Outcome.Text)
	}
	c := &r.Completeness[0]
	if c.Outcome != model.Fail || c.Expected != 1 || c.Absent != 1 || c.Missing != 8 || c.Missed[0].Entries != 15 {
		t.Errorf("%+v", c)
	}
}
