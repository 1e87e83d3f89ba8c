package heritrix

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/format/fault"
	"quire/internal/testsamples"
	"quire/model"
	"quire/source/internal/sourcetest"
)

const oldjobs = "samples/netarchivesuite_netarchivesuite/common/tools/data/originals/oldjobs"

// TestSampleWct reads the harvest of the National Library of New Zealand, 2007, from the Web
// Curator Tool: all in one folder, local time.
func TestSampleWct(t *testing.T) {
	h := sourcetest.Only(t, Reader{},
		sourcetest.Open(t, testsamples.Path(t,
			"samples/WebCuratorTool_webcurator/webcurator-submit-to-rosetta/WctFiles")))
	about := h.About()
	for _, c := range [][2]string{
		{about.Software, "Heritrix 1.8.0 http://crawler.archive.org"}, {about.Operator, "WCT"},
		{about.Robots, "ignore"},
		{about.UserAgent, "Mozilla/5.0 (compatible; heritrix/1.8.0 +http://webcurator.sourceforge.net/)"},
		{about.Contact, "wct-noreply@natlib.govt.nz"}, {about.EndReason, "Finished"},
		{string(about.Documentation), "documented"},
		{about.Start.Format(time.RFC3339), "2007-08-13T08:00:23Z"},
		{about.End.Format(time.RFC3339), "2007-08-13T08:09:59Z"},
	} {
		if c[0] != c[1] {
			t.Errorf("got %q, want %q", c[0], c[1])
		}
	}
	equal(t, "seeds", about.Seeds, []string{"http://www.nzcee.co.nz/"})
	if len(about.Scope) < 7 || !strings.Contains(about.Scope[0], "DomainScope") ||
		!strings.Contains(strings.Join(about.Scope, "\n"), "regexp=.{900,}+") {
		t.Errorf("scope %q", about.Scope)
	}
	clock := evidence(h, "clock of the log")
	if len(clock) != 1 || !strings.HasPrefix(clock[0], "12h0m0s ahead of UTC") {
		t.Errorf("clock %v", clock)
	}
	fetches, findings := fetchesOf(t, h)
	if len(fetches) == 0 || len(findings) != 0 {
		t.Fatalf("%d fetches, findings %v", len(fetches), findings)
	}
	for _, f := range fetches {
		if late := f.Logged.Sub(f.Time.Add(f.Duration)); late < 0 || late > 10*time.Minute {
			t.Errorf("line %d was logged %v after the fetch", f.Line, late)
		}
	}
	// The manifest lists three error logs that are missing.
	if got := codesOf(about.Findings); len(got) != 3 {
		t.Errorf("findings %v", got)
	}
}

func TestSampleOldJobs(t *testing.T) {
	for _, c := range []struct {
		id    string
		seeds int
		zone  string
		end   string
	}{
		{"11_1140688359422", 11, "1h0m0s", "Finished"},
		{"5_1140687204304", 0, "1h0m0s", "Finished"},
	} {
		h := sourcetest.Only(t, Reader{}, sourcetest.Open(t, testsamples.Path(t, oldjobs, c.id)))
		about := h.About()
		if about.ID != c.id || about.Operator != "Admin" || about.Robots != "ignore" || about.EndReason != c.end ||
			about.Documentation != model.Documented {
			t.Errorf("%s: %q, %q, %q, %q, %q", c.id, about.ID, about.Operator, about.Robots, about.EndReason,
				about.Documentation)
		}
		if clock := evidence(h, "clock of the log"); len(clock) != 1 || !strings.HasPrefix(clock[0], c.zone) {
			t.Errorf("%s: clock %v", c.id, clock)
		}
		if c.seeds > 0 && len(about.Seeds) != c.seeds {
			t.Errorf("%s: seeds %q", c.id, about.Seeds)
		}
		sameCounts(t, h.About().ID, testsamples.Path(t, oldjobs, c.id))
	}
}

// sameCounts compares the reports of a job: their sums count the same URLs.
func sameCounts(t *testing.T, id, dir string) {
	t.Helper()
	var hosts, types, codes int64
	for name, add := range map[string]func(*os.File) int{
		"hosts-report.txt": func(f *os.File) (n int) {
			for row, err := range Hosts(f, func(fault.Fault) { n++ }) {
				if err != nil {
					t.Fatal(err)
				}
				hosts += row.URLs
			}
			return n
		},
		"mimetype-report.txt": func(f *os.File) (n int) {
			for row, err := range Types(f, func(fault.Fault) { n++ }) {
				if err != nil {
					t.Fatal(err)
				}
				types += row.URLs
			}
			return n
		},
		"responsecode-report.txt": func(f *os.File) (n int) {
			for row, err := range Codes(f, func(fault.Fault) { n++ }) {
				if err != nil {
					t.Fatal(err)
				}
				codes += row.URLs
			}
			return n
		},
	} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if n := add(f); n != 0 {
			t.Errorf("%s: %s has %d faults", id, name, n)
		}
		f.Close()
	}
	if hosts == 0 || hosts != types {
		t.Errorf("%s: URLs by host %d, by type %d, by code %d", id, hosts, types, codes)
	}
}

// TestSampleCrawldir reads a crawl of Heritrix 3 under NetarchiveSuite: the folder of the crawl log
// is the job.
func TestSampleCrawldir(t *testing.T) {
	h := sourcetest.Only(t, Reader{},
		sourcetest.Open(t, testsamples.Path(t, "samples/netarchivesuite_netarchivesuite/crawldir")))
	fetches, findings := fetchesOf(t, h)
	if len(fetches) < 100 || len(findings) != 0 || len(evidence(h, "clock of the log")) != 0 {
		t.Errorf("%d fetches, findings %v, clock %v", len(fetches), findings, evidence(h, "clock of the log"))
	}
}

// TestSampleConfigurations reads each configuration of the samples, in any folder.
func TestSampleConfigurations(t *testing.T) {
	root := testsamples.Path(t, "samples")
	read := 0
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isConfiguration(d.Name()) {
			return err
		}
		content, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		name := "order.xml"
		if path.Ext(d.Name()) == ".cxml" {
			name = "crawler-beans.cxml"
		}
		about := sourcetest.Only(t, Reader{}, folder(t, map[string]string{name: string(content)})).About()
		if about.UserAgent == "" || about.Robots == "" || len(about.Scope) < 5 || len(about.Findings) != 0 {
			t.Errorf("%s: %q, %q, %d rules, findings %v", p, about.UserAgent, about.Robots, len(about.Scope),
				about.Findings)
		}
		read++
		return nil
	})
	if err != nil || read < 10 {
		t.Errorf("%d configurations were read, %v", read, err)
	}
}

func TestSampleBritishLibrary(t *testing.T) {
	about := sourcetest.Only(t, Reader{},
		sourcetest.Open(t, testsamples.Path(t, "samples/ukwa_ukwa-heritrix/jobs/frequent"))).About()
	if about.Organization != "The British Library" || about.Robots != "classic" ||
		about.Contact != "https://www.bl.uk/legal-deposit-web-archiving" {
		t.Errorf("%q, %q, %q", about.Organization, about.Robots, about.Contact)
	}
	if !strings.HasPrefix(about.Scope[1], "scope: org.archive.modules.deciderules.RejectDecideRule") ||
		!strings.HasPrefix(about.Scope[2], "scope/surtPrefixSeedScope: ") {
		t.Errorf("scope %q", about.Scope[:3])
	}
}
