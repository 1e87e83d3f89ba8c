package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"testing"
	"time"

	"quire/internal/humanize"
	"quire/model"
	"quire/model/finding"
)

func at(s string) *time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return &t
}

// made returns a container with content for every part of a report.
func made(i int) *model.Container {
	record := "<urn:uuid:0>"
	first := at("2001-02-03T04:05:06Z").AddDate(0, i%70, 0)
	last := first.AddDate(0, 0, 3)
	return &model.Container{
		Path: fmt.Sprintf("crawl/%04d.warc.gz", i), Outcome: model.Invalid, Format: "WARC", Versions: []string{"1.0"},
		Compression: "gzip",
		Bytes:       12_345_678, InflatedBytes: 45_678_901, SHA512: strings.Repeat("ab", 64), First: &first,
		Last:     &last,
		Software: "Heritrix/3.4",
		Records:  model.RecordCounts{Total: 1234, ByType: map[string]int64{"response": 1233, "warcinfo": 1}},
		Findings: []model.Finding{{Code: "WARC-DIGEST-BLOCK", Severity: model.Error, Offset: 1000, Record: &record,
			Message: "sha1:A was stated, sha1:B is there"},
			{Code: "WARC-URI", Severity: model.Warning, Offset: 7, Message: "no URI"}},
		FindingCounts: map[string]int64{"WARC-DIGEST-BLOCK": 5, "WARC-URI": 1}, FindingsTotal: 6,
		Formats:   []model.Format{{Name: "HTML", PUID: "fmt/96", Count: 10, Bytes: 100}},
		Hosts:     []model.Count{{Name: "example.org", Count: 9, Bytes: 90}},
		MIMETypes: []model.Count{{Name: "text/html", Count: 8, Bytes: 80}},
		Responses: []model.Status{{Status: "200", Version: "1.0", Count: 7, Bytes: 70},
			{Status: "200", Version: "1.1", Count: 1, Bytes: 1}},
		IdentifiedBy: "siegfried 1.11.2",
		Years:        []model.Count{{Name: "2001", Count: 1, Bytes: 10}, {Name: "2003", Count: 5, Bytes: 20}},
	}
}

func sequence(all ...*model.Container) iter.Seq2[*model.Container, error] {
	return func(yield func(*model.Container, error) bool) {
		for _, c := range all {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func page1(t *testing.T, all ...*model.Container) string {
	t.Helper()
	var out bytes.Buffer
	dir := t.TempDir()
	if err := HTML(&out, sequence(all...), Options{TempDir: dir}); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	return out.String()
}

func TestHTMLShowsEverything(t *testing.T) {
	got := page1(t, made(0), made(1))
	for _, want := range []string{
		"2 containers were inspected: 0 valid, 2 invalid", "24.7 MB", "2,468", "per day", `id="code-WARC-DIGEST-BLOCK"`,
		"crawl/0000.warc.gz, byte 1,000, &lt;urn:uuid:0&gt;: sha1:A was stated", "crawl/0001.warc.gz, byte 1,000",
		"and 8 more",
		"example.org", "fmt/96", "Identified by siegfried 1.11.2.", "Heritrix/3.4", "</html>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(got, "ZgotmplZ") {
		t.Error("a value was refused by the template")
	}
}

// Content of a crawl is displayed but never executed.
func TestHTMLEscapes(t *testing.T) {
	const attack = "\"><script>alert(1)</script>'\x1b[2J\u202e\x00\xff"
	c := made(0)
	c.Path, c.Software, c.Versions = attack, attack, []string{attack}
	c.Compression, c.Outcome = attack, attack
	c.Hosts[0].Name, c.MIMETypes[0].Name, c.Formats[0].Name, c.Formats[0].PUID, c.Responses[0].Status = attack, attack,
		attack, attack, attack
	hostile := attack
	c.Findings[0] = model.Finding{Code: attack, Severity: attack, Record: &hostile, Message: attack}
	c.FindingCounts = nil
	got := page1(t, c)
	if n := strings.Count(got, "<script"); n != 1 {
		t.Errorf("%d scripts, want ours alone", n)
	}
	if strings.ContainsAny(got, "\x1b\u202e\x00") {
		t.Error("a character that commands a reader is in the page")
	}
	if !strings.Contains(got, `\x1b[2J`) {
		t.Error("the escaped text is missing")
	}
}

// The page's policy forbids styles in attributes; a browser would ignore ours too.
func TestHTMLHasNoStyleInAttributes(t *testing.T) {
	if got := page1(t, made(0), made(1)); strings.Contains(got, " style=") {
		t.Error("an element has a style of its own")
	}
}

// Each bar has its name and its number; with many bars, a narrow page shows only some names.
func TestBarsAreNamed(t *testing.T) {
	got := page1(t, made(0))
	for _, want := range []string{`<div class="bars few"`, `title="2001-02-03: 1"`, `<span class="count">1</span>`,
		`height="150"`, `<span class="label">2001-02-03</span>`} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	var all []*model.Container
	for i := range 60 {
		all = append(all, made(i))
	}
	got = page1(t, all...)
	if n := strings.Count(got, `<div class="major"`); n < 10 || n > majorBars ||
		strings.Contains(got, `class="bars few"`) {
		t.Errorf("%d of 60 names are shown on a narrow page", n)
	}
}

func TestHTMLOfNothing(t *testing.T) {
	got := page1(t)
	for _, want := range []string{"0 containers", "No capture date is known.", "No findings.",
		"Nothing was counted."} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func failing(yield func(*model.Container, error) bool) { yield(nil, errDisk) }

var errDisk = errors.New("disk gone")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errDisk }

func TestErrorsAreTold(t *testing.T) {
	var out bytes.Buffer
	if err := HTML(&out, failing, Options{TempDir: t.TempDir()}); !errors.Is(err, errDisk) || out.Len() != 0 {
		t.Errorf("HTML of an unreadable container: %v, %d bytes", err, out.Len())
	}
	if err := HTML(full{}, sequence(made(0)), Options{TempDir: t.TempDir()}); !errors.Is(err, errDisk) {
		t.Errorf("HTML that cannot be written: %v", err)
	}
	if err := Text(full{}, made(0), TextOptions{}); !errors.Is(err, errDisk) {
		t.Errorf("text that cannot be written: %v", err)
	}
	if _, err := Stats(failing, ByHost); !errors.Is(err, errDisk) {
		t.Errorf("stats of an unreadable container: %v", err)
	}
	if _, err := Stats(sequence(), "moon"); err == nil {
		t.Error("stats by an unknown key: no error")
	}
	if err := (&Table{By: ByHost}).Write(&out, "xls"); err == nil {
		t.Error("a table in a form that is none: no error")
	}
}

func TestText(t *testing.T) {
	var out bytes.Buffer
	c := made(0)
	c.Hosts = append(c.Hosts, model.Count{Name: "evil\x1b[2J\n", Count: 1})
	explain := func(string) (finding.Entry, bool) { return finding.Entry{Meaning: "A reason."}, true }
	if err := Text(&out, c, TextOptions{Explain: explain}); err != nil {
		t.Fatal(err)
	}
	want := `crawl/0000.warc.gz
  outcome    invalid: 5 errors, 1 warning
  container  WARC 1.0, gzip, one member per record
  size       12.3 MB stored, 45.7 MB inflated
  records    1,234: 1,233 response, 1 warcinfo
  captured   2001-02-03 04:05:06 to 2001-02-06 04:05:06 UTC
  software   Heritrix/3.4
  hosts      example.org    9
             evil\x1b[2J\n  1
  types      text/html  8
  formats    fmt/96 HTML  10
  identified by siegfried 1.11.2
  answers    200  7
             200  1
  SHA-512    ` + strings.Repeat("ab", 64) + `
  error    WARC-DIGEST-BLOCK  × 5  A reason.
           byte 1,000: sha1:A was stated, sha1:B is there
           and 4 more
  warning  WARC-URI           × 1  A reason.
           byte 7: no URI

`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}

func TestStats(t *testing.T) {
	for by, want := range map[By]Row{
		ByFormat: {Name: "HTML", PUID: "fmt/96", Count: 20, Bytes: 200, Containers: 2},
		ByHost:   {Name: "example.org", Count: 18, Bytes: 180, Containers: 2},
		ByMIME:   {Name: "text/html", Count: 16, Bytes: 160, Containers: 2},
		ByStatus: {Name: "200", Count: 16, Bytes: 142, Containers: 2},
		ByType:   {Name: "response", Count: 2466, Containers: 2},
		ByYear:   {Name: "2001", Count: 2, Bytes: 20, Containers: 2}, // in chronological order, not by count
	} {
		table, err := Stats(sequence(made(0), made(1)), by)
		if err != nil {
			t.Fatal(err)
		}
		if identified := table.IdentifiedBy == "siegfried 1.11.2"; identified != (by == ByFormat) {
			t.Errorf("by %s: identified by %q", by, table.IdentifiedBy)
		}
		if table.Containers != 2 || table.Rows[0] != want {
			t.Errorf("by %s: %+v, want %+v", by, table.Rows, want)
		}
	}
}

func TestTableForms(t *testing.T) {
	table := &Table{By: ByHost, Containers: 1,
		Rows:  []Row{{Name: "=1+1,\"x\"", Count: 3, Bytes: 4, Containers: 1}, {Name: "-", Count: 1}},
		Other: &Row{Name: "all others", Count: 2}}
	forms := map[Form]string{}
	for _, form := range []Form{AsText, AsCSV, AsJSON, AsHTML} {
		var out bytes.Buffer
		if err := table.Write(&out, form); err != nil {
			t.Fatal(err)
		}
		forms[form] = out.String()
	}
	lines, err := csv.NewReader(strings.NewReader(forms[AsCSV])).ReadAll()
	if err != nil || len(lines) != 4 || lines[1][0] != `'=1+1,"x"` || lines[2][0] != "-" {
		t.Errorf("CSV: %q, %v", lines, err)
	}
	var back Table
	if err := json.Unmarshal([]byte(forms[AsJSON]), &back); err != nil || back.Rows[0] != table.Rows[0] ||
		*back.Other != *table.Other {
		t.Errorf("JSON: %s, %v", forms[AsJSON], err)
	}
	if !strings.Contains(forms[AsHTML], "=1&#43;1,&#34;x&#34;") || !strings.Contains(forms[AsText], "all others") {
		t.Errorf("HTML: %s\ntext: %s", forms[AsHTML], forms[AsText])
	}
}

// A crawl with more hosts than fit in memory: they are summed, and none is lost.
func TestTallyIsBounded(t *testing.T) {
	sums := newTally()
	for i := range tallyNames + 10 {
		sums.add(1, Row{Name: fmt.Sprint(i), Count: 1, Bytes: 2})
	}
	if len(sums.sorted()) != tallyNames || sums.other.Count != 10 || sums.other.Bytes != 20 ||
		sums.other.Containers != 1 {
		t.Errorf("%d names, others %+v", len(sums.sorted()), sums.other)
	}
}

func TestTimeline(t *testing.T) {
	for _, test := range []struct {
		name        string
		spans       [][2]string
		unit        string
		bars        int
		first, last int64
	}{
		{"one day", [][2]string{{"2020-01-01T00:00:00Z", "2020-01-01T23:00:00Z"}}, "day", 1, 1, 1},
		{"over a month's end", [][2]string{{"2020-01-30T00:00:00Z", "2020-02-02T00:00:00Z"},
			{"2020-02-02T00:00:00Z", "2020-02-02T01:00:00Z"}}, "day", 4, 1, 2},
		{"months", [][2]string{{"2020-01-30T00:00:00Z", "2020-02-02T00:00:00Z"},
			{"2021-01-02T00:00:00Z", "2021-01-02T01:00:00Z"}}, "month", 13, 1, 1},
		{"years", [][2]string{{"1996-01-30T00:00:00Z", "2020-02-02T00:00:00Z"}}, "year", 25, 1, 1},
		{"all of the calendar", [][2]string{{"0001-01-01T00:00:00Z", "9999-02-02T00:00:00Z"}}, "century", 61, 1, 1},
	} {
		line := newTimeline()
		for _, s := range test.spans {
			line.add(&model.Container{First: at(s[0]), Last: at(s[1])})
		}
		unit, bars := line.bars(*at(test.spans[0][0]), *at(test.spans[len(test.spans)-1][1]))
		if unit != test.unit || len(bars) != test.bars || bars[0].Count != test.first ||
			bars[len(bars)-1].Count != test.last {
			t.Errorf("%s: %s %d %+v", test.name, unit, len(bars), bars)
		}
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{"ü漢🛶": "ü漢🛶", "\x1b[31m": `\x1b[31m`, "a\nb": `a\nb`,
		"a\u202eb": `a\u202eb`, "\xff": `\xff`, "\ufffd": "\ufffd"} {
		if got := humanize.Visible(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

// The page for 500 containers with long addresses. QUIRE_REPORT_PAGE names a file for the page, for
// visual checks.
func TestHTMLOfManyContainers(t *testing.T) {
	long := "http://example.org/" + strings.Repeat("a", 2000)
	var all []*model.Container
	for i := range 500 {
		c := made(i)
		switch i % 5 {
		case 0:
			c.Findings[0].Record, c.Findings[0].Message = &long, "not a URI: "+long
			c.Path = strings.Repeat("folder", 330) + c.Path
		case 1, 2:
			c.Outcome, c.Findings, c.FindingCounts, c.FindingsTotal = model.Valid, nil, nil, 0
		}
		c.Hosts = append(c.Hosts, model.Count{Name: fmt.Sprintf("host%d.example", i%40), Count: int64(i),
			Bytes: int64(i * 1000)}, model.Count{Name: strings.Repeat("h", 250) + ".example", Count: 20, Bytes: 1})
		all = append(all, c)
	}
	got := page1(t, all...)
	if n := strings.Count(got, "<tr><th scope=\"row\" class=\"name\">"); n < 500 {
		t.Errorf("%d rows, want one per container", n)
	}
	if name := os.Getenv("QUIRE_REPORT_PAGE"); name != "" {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
