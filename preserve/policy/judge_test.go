package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quire/model"
)

func day(year int) time.Time { return time.Date(year, 5, 2, 12, 0, 0, 0, time.UTC) }

// inHarvests returns two harvests with descriptions; containers without a harvest have number 0.
func inHarvests() map[int]*HarvestFacts {
	return map[int]*HarvestFacts{
		1: {System: "heritrix", ID: "job-1", Documentation: "documented", Software: []string{"Heritrix 1.14"},
			Start: day(1999), End: day(2001), Robots: []string{"ignore"}},
		2: {System: "wget", Documentation: "absent", Software: []string{"Wget/1.21"}, Start: day(2020), End: day(2020)},
	}
}

func contained(harvest int, path string, change func(*ContainerFacts)) ContainerFacts {
	first, last := day(1999), day(2001)
	c := ContainerFacts{Harvest: harvest, Path: path, Bytes: 1000, Read: &model.Container{
		Outcome: model.Valid, Format: "WARC", Versions: []string{"1.1"}, Compression: "gzip", Bytes: 1000,
		InflatedBytes: 3000,
		Records:       model.RecordCounts{Total: 10}, First: &first, Last: &last, FindingCounts: map[string]int64{},
		Formats: []model.Format{{Name: "GIF 1989a", PUID: "fmt/4", MIME: "image/gif", Count: 3, Bytes: 300}},
	}}
	if change != nil {
		change(&c)
	}
	return c
}

// judge judges two containers of the first harvest, one of the second and one without a harvest,
// with a record in each.
func judge(t *testing.T, doc string, change func(*ContainerFacts)) *Judgement {
	t.Helper()
	p, err := Read(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	j, err := NewJudge(p, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	containers := []ContainerFacts{contained(1, "a", change), contained(1, "b", nil), contained(2, "c", nil),
		contained(0, "d", nil)}
	for i, c := range containers {
		r := model.Record{Type: "response", URI: "http://example.org/" + c.Path, Host: "example.org",
			Date: day(1999 + 10*i), Status: "200",
			Payload: 100, Offset: int64(i), Sound: true,
			Format: model.Format{PUID: "fmt/4", Name: "GIF", MIME: "image/gif"}}
		if c.Path == "d" {
			r.Date, r.Status = time.Time{}, ""
		}
		if err := j.Record(c.Harvest, c.Path, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Settle(Package{ID: "p-1", Title: "Example", Files: 5, Bytes: 4000}, inHarvests()); err != nil {
		t.Fatal(err)
	}
	for _, c := range containers {
		j.Container(c)
	}
	return j.Finish()
}

// short formats a judgement: its outcome and the violated rules, with id, count, places, and the
// number of objects not judged.
func short(j *Judgement) string {
	said := string(j.Outcome)
	for _, r := range j.Rules {
		if r.Outcome == Kept {
			continue
		}
		said += fmt.Sprintf("; %s %d", r.ID, r.Count)
		for _, p := range r.First {
			said += " " + strings.TrimSpace(fmt.Sprintln(p.Harvest, p.Container))
		}
		if r.NotJudged > 0 {
			said += fmt.Sprintf(", not judged %d: %s", r.NotJudged, r.Why)
		}
	}
	return said
}

// Expressions receive a limited part of a text, in UTF-8, without half characters.
func TestWhatIsShownOfATextIsBounded(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"short", "é", "é"},
		{"as long as may be", strings.Repeat("a", maxText), strings.Repeat("a", maxText)},
		{"longer", strings.Repeat("a", maxText+1), strings.Repeat("a", maxText)},
		{"cut within a character", strings.Repeat("a", maxText-1) + "é", strings.Repeat("a", maxText-1)},
		{"no UTF-8", "a\xff", "a\uFFFD"},
	} {
		if got := shown(c.text); got != c.want {
			t.Errorf("%s: %d bytes are shown, want %d", c.name, len(got), len(c.want))
		}
	}
}

func TestJudge(t *testing.T) {
	scanned := func(outcome model.ScanOutcome, infected, not int64) func(*ContainerFacts) {
		return func(c *ContainerFacts) {
			c.Scan = &Scan{Outcome: outcome, Scanned: 5, Infected: infected, NotScanned: not}
		}
	}
	found := func(code string, n int64) func(*ContainerFacts) {
		return func(c *ContainerFacts) {
			c.Read.FindingCounts[code] = n
			c.Read.Findings = append(c.Read.Findings, model.Finding{Code: code, Offset: 77})
		}
	}
	rule := func(scope, when string) string {
		return strings.Replace(ruleOf(scope, when), "severity: warn", "severity: refuse", 1)
	}
	for _, c := range []struct {
		name, doc string
		change    func(*ContainerFacts)
		want      string
	}{
		{"nothing asked", minimal, nil, "accepted"},
		{"the example of the issue", rule("format", `format.puid == "fmt/4" && harvest.start.year < 2000`), nil,
			"refused; r 1 1 a, not judged 1: harvest.start is not known"},
		{"and of records", rule("record", `format.puid == "fmt/4" && harvest.start.year < 2000`), nil,
			"refused; r 2 1 a 1 b, not judged 1: harvest.start is not known"},
		{"an unknown value has no effect if the rest decides",
			rule("format", `format.puid == "fmt/5" && harvest.start.year < 2000`), nil, "accepted"},
		{"asking first", rule("format", `harvest.dated && harvest.start.year < 2000`), nil, "refused; r 1 1 a"},
		{"a year as written and a timestamp",
			rule("harvest",
				`harvest.start < timestamp("2000-01-01T00:00:00Z") && harvest.start.getFullYear() == `+
					`harvest.start.year`), nil, "refused; r 1 1"},
		{"the end", rule("harvest", "harvest.end.year > 2001"), nil, "refused; r 1 2"},
		{"only a warning", ruleOf("harvest", "harvest.documentation == 'absent'"), nil, "warned; r 1 2"},
		{"only a note", strings.Replace(ruleOf("harvest", "harvest.documentation == 'absent'"), "warn", "note", 1), nil,
			"accepted; r 1 2"},
		{"a list", rule("harvest", "harvest.software.exists(s, s.contains('Heritrix')) && 'ignore' in harvest.robots"),
			nil, "refused; r 1 1"},
		{"totals of a harvest", rule("harvest", "harvest.containers == 2 && harvest.records == 20"), nil,
			"refused; r 1 1"},
		{"totals of the package", rule("package",
			"pkg.containers == 4 && pkg.records == 40 && pkg.files == 5 && pkg.bytes == 4000 && pkg.first.year == "+
				"1999 && pkg.last.year == 2001"), nil, "refused; r 1 0"},
		{"a record without a date", rule("record", "record.date.year > 2005"), nil,
			"refused; r 2 1 b 2 c, not judged 1: record.date is not known"},
		{"the status", rule("record", "record.status == 200"), nil, "refused; r 3 1 a 1 b 2 c"},
		{"the media type", rule("record",
			`format.mime == "image/gif" && record.bytes == 100 && record.uri.endsWith("/b")`), nil, "refused; r 1 1 b"},
		{"a pattern", rule("record", `record.uri.matches("(?i)^HTTP://[^/]+/[ab]$")`), nil, "refused; r 2 1 a 1 b"},
		{"a container", rule("container",
			"container.path == 'c' && container.format == 'WARC' && '1.1' in container.versions && "+
				"container.first.year == 1999"), nil, "refused; r 1 2 c"},
		{"a division by nothing", rule("container", "container.records / container.errors > 3"), nil,
			"warned; r 0, not judged 4: division by zero"},

		{"the format of containers", minimal + "containers: {formats: [WARC/1.1]}\n", nil, "accepted"},
		{"another version", minimal + "containers: {formats: [WARC/1.0]}\n", nil,
			"refused; containers.formats 4 1 a 1 b 2 c 0 d"},
		{"any version", minimal + "containers: {formats: [WARC]}\n", nil, "accepted"},
		{"one of two versions", minimal + "containers: {formats: [WARC/1.1]}\n", func(c *ContainerFacts) {
			c.Read.Versions = []string{"1.0", "1.1"}
		}, "refused; containers.formats 1 1 a"},
		{"no container", minimal + "containers: {formats: [WARC, ARC]}\n", func(c *ContainerFacts) {
			c.Read.Format, c.Read.Versions = "", nil
		}, "refused; containers.formats 1 1 a"},
		{"received as an ARC", minimal + "containers: {formats: [WARC/1.1]}\n", func(c *ContainerFacts) {
			c.Received = ReceivedARC
		}, "refused; containers.formats 1 1 a"},
		{"ARC and WARC", minimal + "containers: {formats: [WARC/1.1, ARC]}\n", func(c *ContainerFacts) {
			c.Received = ReceivedARC
		}, "accepted"},
		{"a mirror", minimal + "containers: {formats: [WARC/1.1, ARC]}\n", func(c *ContainerFacts) {
			c.Received = ReceivedMirror
		}, "refused; containers.formats 1 1 a"},
		{"the compression", minimal + "containers: {compression: [gzip, zstd]}\n", func(c *ContainerFacts) {
			c.Read.Compression = "none"
		}, "refused; containers.compression 1 1 a"},

		{"findings at most", minimal + "findings: {at_most: info}\n", found("WARC-DATE", 3),
			"refused; findings.at_most 1 1 a"},
		{"none at all", minimal + "findings: {at_most: none, allow: [WARC-DATE]}\n", found("WARC-TYPE", 1),
			"refused; findings.at_most 1 1 a"},
		{"an allowed one", minimal + "findings: {at_most: none, allow: [WARC-DATE]}\n", found("WARC-DATE", 3),
			"accepted"},
		{"a forbidden one", minimal + "findings: {forbid: [WARC-DATE]}\n", found("WARC-DATE", 3),
			"refused; findings.forbid 1 1 a"},
		{"a detection by the scanner is not a finding here", minimal + "findings: {at_most: none}\n",
			found("SCAN-INFECTED", 1), "accepted"},
		{"a finding that needs format identification is none", minimal + "findings: {at_most: none}\n",
			found("HTTP-CONTENT-TYPE", 1), "accepted"},
		{"but where the policy asks for formats", minimal + "findings: {at_most: none}\nformats: {accept: [image/*]}\n",
			found("HTTP-CONTENT-TYPE", 1), "refused; findings.at_most 1 1 a"},
		{"a rule for a finding", rule("finding",
			"finding.code == 'WARC-DATE' && finding.count > 2 && container.path == 'a'"), found("WARC-DATE", 3),
			"refused; r 1 1 a"},

		{"formats accepted", minimal + "formats: {accept: [fmt/4]}\n", nil, "accepted"},
		{"formats accepted by type", minimal + "formats: {accept: [image/gif]}\n", nil, "accepted"},
		{"formats accepted by group", minimal + "formats: {accept: ['image/*']}\n", nil, "accepted"},
		{"formats not accepted", minimal + "formats: {accept: [fmt/44]}\n", nil,
			"refused; formats.accept 3 0 d 1 a 2 c"},
		{"formats refused", minimal + "formats: {refuse: [image/gif]}\n", nil, "refused; formats.refuse 3 0 d 1 a 2 c"},
		{"unknown ones refused", minimal + "formats: {refuse: [unknown]}\n", func(c *ContainerFacts) {
			c.Read.Formats = []model.Format{{Name: "unidentified", Count: 1}}
		}, "refused; formats.refuse 1 1 a"},
		{"unknown ones not accepted", minimal + "formats: {accept: ['image/*']}\n", func(c *ContainerFacts) {
			c.Read.Formats = []model.Format{{Name: "unidentified", Count: 1}}
		}, "refused; formats.accept 1 1 a"},

		{"a required scan without a scanner", minimal + "viruses: {scan: required}\n", scanned(model.ScanClean, 0, 0),
			"refused; viruses.scan 3 1 b 2 c 0 d"},
		{"infected", minimal + "viruses: {infected: warn}\n", scanned(model.ScanInfected, 2, 0),
			"warned; viruses.infected 1 1 a"},
		{"infected and cleaned", minimal + "viruses: {infected: refuse}\n", func(c *ContainerFacts) {
			c.Scan = &Scan{Outcome: model.ScanInfected, Scanned: 5, Infected: 2, Cleaned: 2}
		}, "accepted"},
		{"infected and cleaned in part", minimal + "viruses: {infected: refuse}\n", func(c *ContainerFacts) {
			c.Scan = &Scan{Outcome: model.ScanInfected, Scanned: 5, Infected: 2, Cleaned: 1}
		}, "refused; viruses.infected 1 1 a"},
		{"clean", minimal + "viruses: {infected: refuse}\n", scanned(model.ScanClean, 0, 1), "accepted"},
		{"a rule on the scan", rule("container", "scan.asked && scan.not_scanned > 0 && scan.outcome == 'incomplete'"),
			scanned(model.ScanIncomplete, 0, 1), "refused; r 1 1 a"},
		{"the scan of the package", rule("package",
			"!scan.asked && scan.infected == 2 && scan.scanned == 5 && scan.outcome == 'infected'"),
			scanned(model.ScanInfected, 2, 0), "refused; r 1 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := short(judge(t, c.doc, c.change)); got != c.want {
				t.Errorf("judged %q; want %q", got, c.want)
			}
		})
	}
}
