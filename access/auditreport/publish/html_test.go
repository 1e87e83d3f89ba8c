package publish

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	xhtml "golang.org/x/net/html"

	"quire/access/auditreport"
	"quire/holdings/rights"
	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/disposal"
	"quire/repository/store"
)

// full returns a report in which each part has content, some of it hostile.
func full() *auditreport.Report {
	at := time.Date(2026, 11, 29, 1, 2, 3, 0, time.UTC)
	const hostile = `<script>alert("x")</script>` + "\u202e"
	r := &auditreport.Report{Format: auditreport.Format, Repository: "ec8e13ef-6fa8-45eb-90b0-40634a5741cc",
		Software: "Quire test", Made: at, Since: at.AddDate(-1, 0, 0), Institution: "Národní knihovna · Εθνική · " +
			"Библиотека"}
	r.Holdings = auditreport.Holdings{Sum: auditreport.Sum{Packages: 1234567, Bytes: 12e12}, Unread: 1,
		WithoutIngest:     1,
		ByCollection:      []auditreport.CollectionSum{{ID: "c", Title: hostile, Collections: 1}},
		ClosedCollections: auditreport.CollectionSum{Collections: 2},
		Years: []auditreport.YearSum{{Year: "2025", Sum: auditreport.Sum{Packages: 1, Bytes: 5}},
			{Year: "2026", Sum: auditreport.Sum{Packages: 2, Bytes: 10}}}}
	r.Copies = []auditreport.Copy{{Name: "copy-1", Path: hostile, Available: true, SameDisk: []string{},
		States: map[catalogue.Status]int64{catalogue.Good: 3, catalogue.Damaged: 1},
		Read:   []auditreport.ReadSince{{Days: 30, Packages: 1}}, Place: &auditreport.Place{Place: hostile,
			Threat: "flood"}},
		{Name: "copy-2", States: map[catalogue.Status]int64{catalogue.Owed: 4},
			Read: []auditreport.ReadSince{{Days: 30}}},
		{Name: "cold", Available: true, States: map[catalogue.Status]int64{catalogue.AsListed: 4},
			Read: []auditreport.ReadSince{{Days: 30}}}}
	r.Audits = auditreport.Audits{Schedule: "full every 365d", Number: 150, Ever: 150}
	for i := range 150 {
		r.Audits.Runs = append(r.Audits.Runs, auditreport.AuditRun{Run: catalogue.Run{Run: fmt.Sprint(i),
			Kind: catalogue.Sample, Share: .01, Started: at}, Copies: []string{"copy-1"}})
	}
	r.Incidents = auditreport.Incidents{IncidentSum: catalogue.IncidentSum{Total: 2, Repaired: 1, Open: 1},
		List: []auditreport.Incident{{Event: "1", Time: at, Copy: "copy-1", Kind: auditreport.KindPackage,
			Package: hostile,
			Now:     catalogue.Damaged}, {Event: "2", Time: at, Copy: "copy-1", Kind: auditreport.KindClosed,
			Repair:   "3",
			Repaired: at, Now: catalogue.Good}}}
	r.Overdue = auditreport.Overdue{Audits: []store.DueAudit{{Entry: "full every 365d", Due: at, Is: true}},
		Policies: []auditreport.Duty{{Policy: hostile, Copies: 3, Fixity: "1 year", Unread: 2}}}
	r.Events = []auditreport.EventSum{{Type: "ingestion", Outcome: "success", Number: 1, Ever: 2}, {Type: hostile,
		Ever: 1}}
	r.Formats = auditreport.Formats{Containers: 2, Unidentified: 1, Payloads: 9, AtRisk: 4,
		Policies: []auditreport.PolicyOf{{Name: "p", SHA512: strings.Repeat("0", 128)}},
		List: []auditreport.FormatCount{{PUID: "fmt/96", Name: "HTML", Payloads: 5, Risks: []string{}},
			{PUID: "fmt/4", Name: hostile, Payloads: 4, Risks: []string{"p: " + hostile}}}}
	r.Viruses.Containers = map[model.ScanOutcome]int64{model.ScanClean: 1}
	r.Access = auditreport.Access{Packages: map[rights.Verdict]int64{rights.Open: 5, rights.Blocked: 1},
		RulesProblems: 1}
	r.Takedowns = auditreport.Takedowns{InForce: 1, List: []auditreport.Takedown{{ID: "W1", At: at, InForce: true}}}
	r.Purges = auditreport.Purges{Purged: 1, Pending: 1, List: []auditreport.Purge{{ID: "P1", State: disposal.Purged,
		Kind: "package", Versions: 2, Files: 30, Bytes: 4000, Reasoned: true, Reason: "file 17", Authority: hostile,
		RequestedBy: "Ada", Requested: at, ApprovedBy: "Bob", Approved: at.Add(time.Hour),
		Done: []store.PurgedPlace{{Place: "copy-1", At: at}},
		Waiting: []store.PendingPlace{{Place: "copy-2", Away: true, Why: "away"},
			{Place: "copy-9", Away: true, Retired: true, Why: "lost"}}}}}
	r.Documents = []auditreport.Document{{Kind: "rules", Version: 1, Created: at, SHA512: strings.Repeat("a", 128)}}
	state := []auditreport.State{auditreport.Shown, auditreport.PartlyShown, auditreport.NotShown, auditreport.Unknown,
		auditreport.Attested, auditreport.PartlyAttested, auditreport.Denied, auditreport.NotAttested}
	f := auditreport.Framework{ID: "NDSA", Name: "NDSA Levels", Edition: "2.0 (2019)", Source: "https://ndsa.org/"}
	for i, s := range state {
		f.Rows = append(f.Rows, auditreport.Row{ID: fmt.Sprint(i), Area: "Area " + fmt.Sprint(i/4), Level: 1 + i%4,
			State:   s,
			Edition: f.Edition, Text: "Requirement", Claims: []auditreport.Claim{{ID: fmt.Sprint(i), Text: "Claim",
				State:     s,
				Statement: hostile, Person: "A. Person", On: "2026-01-01",
				Evidence: []string{"#copies", "https://example.org/", hostile, "javascript:alert(1)"}}}})
	}
	r.Frameworks = []auditreport.Framework{f}
	return r
}

// TestHTML: the page needs no other file, runs nothing, and works with a screen reader.
func TestHTML(t *testing.T) {
	var out bytes.Buffer
	if err := html(&out, documentOf(full(), false)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "ZgotmplZ") || strings.Contains(out.String(), "\u202e") {
		t.Error("a value was not escaped for its place")
	}
	doc, err := xhtml.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	var ids, targets, levels []string
	rows, columns := 0, 0
	for n := range doc.Descendants() {
		if n.Type != xhtml.ElementNode {
			continue
		}
		a := map[string]string{}
		for _, attr := range n.Attr {
			a[attr.Key] = attr.Val
			if strings.HasPrefix(attr.Key, "on") || attr.Key == "src" {
				t.Errorf("<%s %s>", n.Data, attr.Key)
			}
		}
		if id, ok := a["id"]; ok {
			if slices.Contains(ids, id) {
				t.Errorf("two elements have the id %s", id)
			}
			ids = append(ids, id)
		}
		switch n.Data {
		case "script", "link", "img", "iframe":
			t.Errorf("<%s>", n.Data)
		case "a":
			if rest, ok := strings.CutPrefix(a["href"], "#"); ok {
				targets = append(targets, rest)
			} else if !strings.HasPrefix(a["href"], "https://") {
				t.Errorf("a link to %s", a["href"])
			}
		case "h1", "h2", "h3":
			levels = append(levels, n.Data)
		case "th":
			if a["scope"] == "" {
				t.Error("a heading of a table without a scope")
			}
		case "table":
			if c := n.FirstChild; c == nil || c.Data != "caption" || c.FirstChild == nil {
				t.Error("a table without a caption")
			}
		case "svg":
			if a["aria-hidden"] != "true" {
				t.Error("a picture without a text beside it")
			}
		case "thead":
			columns = 0
			for c := range n.Descendants() {
				if c.Data == "th" {
					columns++
				}
			}
		case "tr":
			cells := 0
			for c := range n.ChildNodes() {
				if c.Data == "td" || c.Data == "th" {
					cells++
				}
			}
			if rows++; cells != columns {
				t.Errorf("a row has %d cells for %d columns", cells, columns)
			}
		}
	}
	for _, target := range targets {
		if !slices.Contains(ids, target) {
			t.Errorf("no element has the id %s", target)
		}
	}
	if len(levels) < 10 || levels[0] != "h1" || slices.Contains(levels[1:], "h1") || rows < 130 || rows > 250 {
		t.Errorf("headings %v, %d rows", levels, rows)
	}
}

// TestMore: a page shows the first rows, and the number of the others.
func TestMore(t *testing.T) {
	var out bytes.Buffer
	if err := html(&out, documentOf(full(), false)); err != nil {
		t.Fatal(err)
	}
	if want := "And 50 more. The JSON form of the report has them."; !strings.Contains(out.String(), want) {
		t.Errorf("no %q", want)
	}
	for _, c := range []struct {
		shown, listed int
		more          int64
		want          string
	}{
		{5, 5, 0, ""}, {100, 150, 0, "And 50 more. The JSON form of the report has them."},
		{100, 10_000, 2000, "And 11,900 more. The JSON form of the report has 9,900 of them."},
	} {
		if got := further(c.shown, c.listed, c.more); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestEvidence: each section that a claim refers to exists.
func TestEvidence(t *testing.T) {
	d := documentOf(&auditreport.Report{}, false)
	for ref, title := range sectionNames {
		if !slices.ContainsFunc(d.Sections, func(s section) bool { return "#"+s.ID == ref && s.Title == title }) {
			t.Errorf("no section %s %q", ref, title)
		}
	}
}

// TestListedCopy: a copy with packages in a cold storage class is counted apart.
func TestListedCopy(t *testing.T) {
	var out bytes.Buffer
	if err := html(&out, documentOf(full(), false)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0 of 3, 1 by listing", ">Listed</th>", "were not read",
		`<rect class="cold" x="0.000" width="100.000"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestPurgesShown: each form has the persons, the times, the reason, and the places that are done and pending.
func TestPurgesShown(t *testing.T) {
	d := documentOf(full(), false)
	var page bytes.Buffer
	if err := html(&page, d); err != nil {
		t.Fatal(err)
	}
	want := []string{"P1", "purged, not complete", "2 versions of a package, 30 files, 4,000 bytes",
		"2026-11-29 01:02, by Ada", "2026-11-29 02:02, by Bob", "file 17", "copy-1 2026-11-29",
		"copy-2 (away), copy-9 (retired)"}
	i := slices.IndexFunc(d.Sections, func(s section) bool { return s.ID == "purges" })
	row := fmt.Sprint(d.Sections[max(i, 0)]) // PDF shows the document that HTML shows
	for _, text := range want {
		if !strings.Contains(page.String(), text) {
			t.Errorf("the page lacks %q: %s", text, row)
		}
	}
}
