package wct

import (
	"strings"
	"testing"
	"time"

	"quire/internal/testsamples"
	"quire/model"
	"quire/source/internal/sourcetest"
)

const rosetta = "samples/WebCuratorTool_webcurator/webcurator-submit-to-rosetta"

// TestSampleMETS reads the five METS of the National Library of New Zealand. One METS has the files
// of its harvest beside it. The files of the other METS are missing.
func TestSampleMETS(t *testing.T) {
	harvests := all(t, sourcetest.Open(t, testsamples.Path(t, rosetta)))
	for _, c := range []struct {
		id, name, start, end, owner string
		seeds, listed, missing      int
		permission                  string
		annotations                 int
		annotation                  string
	}{
		{"11141123", "New Zealand Centre for Ecological Economics ; NZCEE", "2007-08-13T08:00:23Z",
			"2007-08-13T08:09:59Z", "LeeG", 1, 13, 1, "a copyright statement", 0, ""},
		{"5144582", "Office for Senior Citizens : Te Kari Kaumatua", "2007-05-02T08:17:50Z", "2007-05-02T08:22:54Z",
			"JoeS", 1, 13, 13, "", 8, "target 2006-01-01 LegacyData 1. Recommend Eselection -- 20040816"},
		{"622593", "CYFSWATCH New Zealand", "2007-01-24T21:30:17Z", "2007-01-25T02:17:07Z", "JoeS", 3, 17, 17, "", 3,
			"target instance 2007-01-25 JoeS Secondary URL for blogger profile added to Target after harvest"},
		{"6520833", "Good Practice Participate", "2007-05-16T23:24:30Z", "2007-05-16T23:42:59Z", "LalaV", 1, 13, 13, "",
			8, "target 2006-01-01 LegacyData 1. Recommend Eselection -- [Date]"},
		{"7962628", "Growth and Innovation", "2007-06-01T08:00:03Z", "2007-06-01T08:30:12Z", "LeeG", 1, 14, 14, "", 1,
			"target instance 2007-06-05 LeeG A number of publications"},
	} {
		h := harvests[c.id]
		if h == nil {
			t.Errorf("%s is not found among %d", c.id, len(harvests))
			continue
		}
		a := h.About()
		for _, pair := range [][2]string{
			{a.Title, c.name}, {a.Collection, c.name}, {a.Operator, c.owner},
			{a.Organization, "National Library of New Zealand"}, {string(a.System), "web-curator-tool"},
			{a.Start.Format(time.RFC3339), c.start}, {a.End.Format(time.RFC3339), c.end},
			{a.Rights.Permissions[0].Copyright, c.permission},
			{a.Rights.Permissions[0].State, "Granted"}, {a.Rights.Permissions[0].Start, "2006-08-12"},
			{a.Rights.Permissions[0].Basis, "NZ E-Legal Deposit"},
			{a.Rights.Permissions[0].AccessStatus, "Open (unrestricted) access"},
			{a.Rights.Permissions[0].Agent, "New Zealand Government"},
			{a.Rights.Permissions[0].Contact, "e-Publications Librarian"},
			{strings.Join(a.Rights.Permissions[0].Patterns, " "), "http://*.nz/*"},
			{a.Description.Versions[0].Note, "Original Harvest"},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: got %q, want %q", c.id, pair[0], pair[1])
			}
		}
		if len(a.Seeds) != c.seeds || len(a.Rights.Permissions[0].Seeds) != c.seeds || len(a.Expected) != c.listed ||
			len(a.Description.Annotations) != c.annotations {
			t.Errorf("%s: %d seeds, %d listed, %d annotations", c.id, len(a.Seeds), len(a.Expected),
				len(a.Description.Annotations))
		}
		missing := 0
		for _, e := range a.Expected {
			if e.Path == "" {
				missing++
			}
			if e.Digest.Algorithm != model.MD5 || e.Size <= 0 || e.Group == "" {
				t.Errorf("%s: expected file %+v", c.id, e)
			}
		}
		if missing != c.missing {
			t.Errorf("%s: %d files are missing, want %d", c.id, missing, c.missing)
		}
		if c.annotation != "" {
			n := a.Description.Annotations[0]
			if got := n.Of + " " + n.Date + " " + n.Who + " " + n.Text; !strings.HasPrefix(got, c.annotation) {
				t.Errorf("%s: annotation %q", c.id, got)
			}
		}
		if f := fileOf(a, "METS-"+c.id+".xml"); f == nil || !strings.Contains(f.Restricted, "vCard") ||
			f.Role != model.RoleDescription {
			t.Errorf("%s: the METS is %+v", c.id, f)
		}
	}
	if len(harvests) != 5 {
		t.Errorf("%d harvests", len(harvests))
	}
}

// TestSampleWctFiles reads the harvest of target instance 11141123, with a container that was
// shortened for the test.
func TestSampleWctFiles(t *testing.T) {
	h := all(t, sourcetest.Open(t, testsamples.Path(t, rosetta)))["11141123"]
	a := h.About()
	if got := codes(a.Findings); got != "SOURCE-LISTED SOURCE-LISTED SOURCE-LISTED SOURCE-SIZE SOURCE-SIZE "+
		"SOURCE-LISTED SOURCE-UNLISTED SOURCE-PERSONAL" {
		t.Errorf("findings %s: %v", got, a.Findings)
	}
	if zones := evidence(a, "zone"); len(zones) != 1 ||
		!strings.HasPrefix(zones[0], "the server's clock is 12h0m0s ahead of UTC; inferred") {
		t.Errorf("zone %q", zones)
	}
	if a.Software != "Heritrix 1.8.0 http://crawler.archive.org" || a.Robots != "ignore" || a.Host != "skynet" ||
		a.EndReason != "Finished" || a.Documentation != model.Documented {
		t.Errorf("%q, %q, %q, %q, %q", a.Software, a.Robots, a.Host, a.EndReason, a.Documentation)
	}
	n := 0
	for f, err := range h.Fetches(t.Context(), func(f model.Finding) { t.Error(f) }) {
		if err != nil || f.URI == "" {
			t.Fatal(f, err)
		}
		n++
	}
	if n != 322 {
		t.Errorf("%d lines in the log", n)
	}
	// Without the METS, its manifest and configuration still identify the target instance.
	alone := all(t, sourcetest.Open(t, testsamples.Path(t, rosetta, "WctFiles")))["11141123"]
	if alone == nil || alone.About().Operator != "WCT" {
		t.Errorf("%v", alone)
	}
}

// TestOtherXMLIsNotClaimed checks that other XML in the same folder is not part of the harvests.
func TestOtherXMLIsNotClaimed(t *testing.T) {
	for id, h := range all(t, sourcetest.Open(t, testsamples.Path(t, rosetta))) {
		for _, f := range h.About().Files {
			if strings.Contains(f.Path, "dnx_profile") || strings.Contains(f.Path, "Deposit") ||
				strings.Contains(f.Path, "deposit") || strings.Contains(f.Path, "TestArc1") {
				t.Errorf("%s has %s", id, f.Path)
			}
		}
	}
}

// TestSampleSchemas checks that the schemas among the samples contain no target instance, and do
// not disturb one.
func TestSampleSchemas(t *testing.T) {
	for _, p := range []string{"latest/sql/wct-schema-postgres.sql", "latest/sql/wct-bootstrap-postgres.sql",
		"latest/sql/wct-qa-data-postgres.sql", "latest/sql/wct-indexes-postgres.sql",
		"legacy/sql/wct-schema-1_3-oracle.sql", "legacy/sql/wct-schema-1_6-oracle.sql"} {
		dump := testsamples.Path(t, "samples/WebCuratorTool_webcurator/webcurator-db", p)
		claims, err := Reader{Dumps: []string{dump}}.Find(t.Context(), sourcetest.Open(t, testsamples.Path(t, rosetta)))
		if err != nil {
			t.Fatal(err)
		}
		h, err := claims[0].Read(t.Context())
		if err != nil || len(h.About().Rights.Permissions) != 1 {
			t.Errorf("%s: %v", p, err)
		}
		if got := codes(h.About().Findings); strings.Contains(got, CodeDump) {
			t.Errorf("%s: %v", p, got)
		}
	}
}
