package numbers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/repotest"
	"quire/preserve/identify"
	"quire/preserve/pack"
	"quire/preserve/policy"
	"quire/preserve/report"
	"quire/repository/store"
)

// images are packages with formats: a PNG of 2008 and 2010, a GIF of 2010.
func images(t *testing.T) *repotest.Repository {
	t.Helper()
	const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00"
	const gif = "GIF89a\x01\x00\x01\x00\x00\x00\x00!\xf9\x04\x00\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00" +
		"\x00\x02\x02D\x01\x00;"
	r := repotest.New(t)
	for id, crawl := range map[string]string{
		"a": response(2008, "http://x.example/a.png", "image/png", png) +
			response(2008, "http://x.example/", "text/html", "<html><p>hello</p></html>"),
		"b": response(2010, "http://y.example/b.gif", "image/gif", gif) +
			response(2010, "http://y.example/c.gif", "image/gif", gif),
	} {
		if _, err := r.Store.Ingest(context.Background(), r.Pack(repotest.Package{ID: id, Profile: pack.Full,
			Containers: map[string]string{id + ".warc": crawl}}), store.IngestOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// readPolicy writes and reads a policy.
func readPolicy(t *testing.T, text string) *policy.Policy {
	t.Helper()
	path := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := policy.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestJudge judges the formats of a repository and its parts, over time.
func TestJudge(t *testing.T) {
	ctx := context.Background()
	r := images(t)
	id, err := identify.New(identify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := readPolicy(t, `name: images
formats: {refuse: [fmt/4]}
rules:
  - {id: old, scope: format, severity: warn, when: 'format.puid == "fmt/96"', message: Old HTML.}
  - {id: noted, scope: format, severity: note, when: 'format.count > 0', message: Anything.}
  - {id: early, scope: format, severity: warn, when: 'harvest.start.year < 2009', message: Early.}
`)
	for _, c := range []struct {
		q       Query
		outcome policy.Outcome
		want    string
	}{
		{Query{}, policy.Refused, "2008: 1 of 2, 2010: 2 of 2; formats.refuse fmt/4 2 2010-2010; " +
			"old fmt/96 1 2008-2008"},
		{Query{Package: "a"}, policy.Warned, "2008: 1 of 2; old fmt/96 1 2008-2008"},
		{Query{To: 2009}, policy.Warned, "2008: 1 of 2; old fmt/96 1 2008-2008"},
		{Query{From: 2011}, policy.Accepted, ""},
	} {
		risks, err := Judge(ctx, r.Store, c.q, p, id.MIME)
		if err != nil {
			t.Fatal(err)
		}
		var years, parts []string
		for _, y := range risks.Years {
			years = append(years, fmt.Sprintf("%d: %d of %d", y.Year, y.AtRisk, y.Payloads))
		}
		if len(years) > 0 {
			parts = append(parts, strings.Join(years, ", "))
		}
		for _, f := range risks.Formats {
			parts = append(parts, fmt.Sprintf("%s %s %d %d-%d", strings.Join(f.Rules, " "), f.PUID, f.Count, f.First,
				f.Last))
		}
		if got := strings.Join(parts, "; "); got != c.want || risks.Outcome != string(c.outcome) {
			t.Errorf("%+v: %s, %s\nwant %s, %s", c.q, risks.Outcome, got, c.outcome, c.want)
		}
		if len(risks.Formats) > 0 && risks.Unjudged != 1 {
			t.Errorf("%d rules were not judged", risks.Unjudged)
		}
	}
	risks, err := Judge(ctx, r.Store, Query{}, p, id.MIME)
	if err != nil {
		t.Fatal(err)
	}
	for form, want := range map[report.Form]string{
		report.AsText: "policy images: refused",
		report.AsCSV:  "fmt/4,89a,2,",
		report.AsHTML: "<h1>Formats at risk by the policy images in the repository</h1>",
	} {
		var out bytes.Buffer
		if err := risks.Write(&out, form); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %v\n%s", form, err, out.String())
		}
	}
	var out bytes.Buffer
	if err := risks.Write(&out, report.AsJSON); err != nil || !json.Valid(out.Bytes()) {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// TestSelect chooses packages by their numbers.
func TestSelect(t *testing.T) {
	ctx := context.Background()
	r := images(t)
	r.Collect("both", "Both", "", "a", "b")
	for _, c := range []struct{ expression, want string }{
		{`"fmt/4" in pkg.puids`, "b"},
		{`pkg.first.year < 2009`, "a"},
		{`pkg.hosts.exists(h, h.endsWith(".example"))`, "a b"},
		{`pkg.hosts.exists(h, h.startsWith("y.")) && pkg.records > 1`, "b"},
		{`pkg.formats.exists(f, f == "Graphics Interchange Format 89a")`, "b"},
		{`"text/html" in pkg.mime_types && "200" in pkg.statuses && "response" in pkg.record_types`, "a"},
		{`"2010" in pkg.years && "valid" in pkg.outcomes && !("NONE" in pkg.findings)`, "b"},
		{`pkg.containers > 5`, ""},
	} {
		sel, err := policy.Select(c.expression)
		if err != nil {
			t.Errorf("%s: %v", c.expression, err)
			continue
		}
		var ids []string
		for e, err := range Select(ctx, r.Store, sel, "") {
			if err != nil || e.Why != nil {
				t.Fatal(err, e.Why)
			}
			ids = append(ids, e.ID)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.expression, got, c.want)
		}
	}
	for _, wrong := range []string{"", "pkg.nothing > 1", "true", "pkg.bytes", `pkg.id.matches(pkg.title)`,
		`harvest.id == "x"`, strings.Repeat(" ", 3000) + "pkg.bytes > 1"} {
		if _, err := policy.Select(wrong); err == nil {
			t.Errorf("%.60q is a selection", wrong)
		}
	}
}

// TestSelectFacts: each variable that needs no numbers has the fact of its name.
func TestSelectFacts(t *testing.T) {
	day := func(year int) time.Time { return time.Date(year, 1, 2, 0, 0, 0, 0, time.UTC) }
	p := policy.Stored{ID: "id", Title: "title", Bytes: 1, Files: 2, Containers: 3, Records: 4, First: day(2005),
		Last: day(2006), Stored: day(2007)}
	sel, err := policy.Select(`pkg.id == "id" && pkg.title == "title" && pkg.bytes == 1 && pkg.files == 2 &&
		pkg.containers == 3 && pkg.records == 4 && pkg.first.year == 2005 && pkg.last.year == 2006 &&
		pkg.stored.year == 2007 && pkg.stored == timestamp("2007-01-02T00:00:00Z")`)
	if err != nil {
		t.Fatal(err)
	}
	if match, why := sel.Match(&p); match != policy.Chosen {
		t.Errorf("%v, %v", match, why)
	}
}

// TestSelectUncounted: a selection by numbers does not decide on a package that is not counted.
func TestSelectUncounted(t *testing.T) {
	sel, err := policy.Select(`"fmt/4" in pkg.puids || pkg.id == "a"`)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]policy.Match{"a": policy.Chosen, "b": policy.Undecided} {
		match, why := sel.Match(&policy.Stored{ID: id})
		if match != want || (why != nil) != (want == policy.Undecided) {
			t.Errorf("%s: %v, %v", id, match, why)
		}
		if why != nil && !strings.Contains(why.Error(), "stats --repo REPO --count") {
			t.Errorf("%s: the reason names no next step: %v", id, why)
		}
	}
}
