package detect

import (
	"bufio"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
)

// sample is a line of the list of samples.
type sample struct{ path, kind string }

// manifest returns the list of samples.
func manifest(t *testing.T) (root string, all []sample) {
	t.Helper()
	root = testsamples.Path(t, "samples")
	f, err := os.Open(filepath.Join(root, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	lines.Scan() // the names of the columns
	for lines.Scan() {
		if columns := strings.Split(lines.Text(), "\t"); len(columns) > 3 {
			all = append(all, sample{columns[0], columns[3]})
		}
	}
	return root, all
}

const (
	alone = "bare-containers"
	none  = ""
)

// whose has the correct readers for each kind of sample: in the folder of its origin, and alone. In
// the folder, the other files decide between several readers. For example, the crawl log of a
// NetarchiveSuite job belongs to NetarchiveSuite.
var whose = map[string]struct{ folder, alone []string }{
	"arc":             {[]string{alone, "netarchivesuite", "web-curator-tool"}, []string{alone, "netarchivesuite"}},
	"nas-metadata":    {[]string{"netarchivesuite"}, []string{"netarchivesuite"}},
	"crawl-log":       {[]string{"heritrix", "netarchivesuite", "web-curator-tool"}, []string{"heritrix"}},
	"heritrix-report": {[]string{"heritrix", "netarchivesuite", "web-curator-tool"}, []string{"heritrix"}},
	"heritrix-config": {[]string{"heritrix", "netarchivesuite", "web-curator-tool"}, []string{"heritrix"}},
	"heritrix-job":    {[]string{"netarchivesuite"}, []string{"netarchivesuite"}},
	"crawler-log":     {[]string{"wget", "browsertrix"}, []string{"wget", "browsertrix"}},
	"wct-mets":        {[]string{"web-curator-tool"}, []string{"web-curator-tool"}},
	"mirror":          {[]string{"httrack", "pandas"}, nil}, // alone, a page of a mirror is a page
	"httrack-log":     {[]string{"httrack"}, []string{"httrack"}},
	"wacz":            {[]string{"browsertrix"}, []string{"browsertrix"}},
}

// exceptions are samples that correctly have another reader, or none.
var exceptions = map[string]struct {
	folder, alone, why string
}{
	"DIA-NZ_webcurator/wct-submit-to-rosetta/TestArc1.cdx": {none, none,
		"an index without the container"},
	"WebCuratorTool_webcurator/webcurator-submit-to-rosetta/DepositWebServices.xml": {none, none,
		"describes a web service of Rosetta"},
	"WebCuratorTool_webcurator/webcurator-submit-to-rosetta/deposit_result_7.1.xml": {none, none,
		"an answer of Rosetta"},
	"WebCuratorTool_webcurator/webcurator-submit-to-rosetta/dnx_profile.xml": {none, none,
		"a profile of Rosetta"},
	"WebCuratorTool_webcurator/webcurator-submit-to-rosetta/WctFiles/seeds.txt": {"web-curator-tool", none, "a list of addresses alone " +
		"does not identify a crawl"},
	"netarchivesuite_netarchivesuite/common/tools/data/originals/oldjobs/11_1140688359422/seeds.txt": {"netarchivesuite", none, "a list of addresses"},
	"netarchivesuite_netarchivesuite/common/tools/data/originals/oldjobs/5_1140687204304/seeds.txt":  {"netarchivesuite", none, "a list of addresses"},
	"netarchivesuite_netarchivesuite/harvesting/report/LegacyHarvestReportTester/idna-seeds.txt": {none, none,
		"a list of addresses, beside logs that are of several crawls"},
	"netarchivesuite_netarchivesuite/crawldir/harvestInfo.xml": {"netarchivesuite", "netarchivesuite",
		"names a job of NetarchiveSuite"},
	"netarchivesuite_netarchivesuite/history/viewerproxy/data/input/70-metadata-1.arc-contents": {none, none,
		"an index without a legend, which was taken out of a metadata file"},
	"nla_pandas4/crawlconfig/heritrix-defaults.properties": {"heritrix", none,
		"settings that a configuration beside them takes over"},
	"ukwa_crawl-streams/crawl_log_fragment.json": {none, none,
		"a message about one URL, written by a stream and not by a crawler"},
}

func TestEachSampleIsReadByTheRightReader(t *testing.T) {
	root, all := manifest(t)
	origins := map[string]map[string][]string{}
	checked := 0
	for _, s := range all {
		want, known := whose[s.kind]
		if !known {
			continue
		}
		checked++
		if x, ok := exceptions[s.path]; ok {
			want.folder, want.alone = []string{x.folder}, []string{x.alone}
		}
		origin, _, _ := strings.Cut(s.path, "/")
		if origins[origin] == nil {
			origins[origin] = owners(t, filepath.Join(root, origin))
		}
		full := filepath.Join(root, s.path)
		if got := origins[origin][full]; !right(got, want.folder) {
			t.Errorf("%s %s: in its folder %q has it, want one of %q", s.kind, s.path, got, want.folder)
		}
		if got := owners(t, full)[full]; want.alone != nil && !right(got, want.alone) {
			t.Errorf("%s %s: alone %q has it, want one of %q", s.kind, s.path, got, want.alone)
		}
	}
	if checked < 340 {
		t.Errorf("only %d samples were looked at", checked)
	}
}

// right reports whether all readers of a file are among the allowed readers. A file without a
// reader is right if want contains none.
func right(got, want []string) bool {
	if len(got) == 0 {
		return slices.Contains(want, none)
	}
	return !slices.ContainsFunc(got, func(g string) bool { return !slices.Contains(want, g) })
}

// owners returns the readers of each file of a source, by its full path, and assigns files in an
// archive to the archive. It reads each harvest, and checks that each file is in one place.
func owners(t *testing.T, p string) map[string][]string {
	t.Helper()
	s, err := Open(t.Context(), p)
	if err != nil {
		t.Errorf("%s: %v", p, err)
		return nil
	}
	defer s.Close()
	all, places := map[string][]string{}, map[string]int{}
	for i := range s.Found {
		f := &s.Found[i]
		for _, file := range f.Files {
			full := path.Join(f.Tree.Path(), file)
			all[full] = append(all[full], f.Reader)
			if !slices.Contains(f.Shared, file) {
				places[full]++
			}
		}
		for archive := f.Tree.Path(); len(archive) > len(p) || archive == p; archive = path.Dir(archive) {
			all[archive] = append(all[archive], f.Reader)
		}
	}
	for _, a := range s.Opened {
		places[path.Join(a.Tree.Path(), a.Path)]++
	}
	for _, u := range s.Unclaimed {
		places[path.Join(u.Tree.Path(), u.Path)]++
	}
	for _, tr := range s.trees {
		for _, f := range tr.Files() {
			if full := path.Join(tr.Path(), f.Path); places[full] != 1 {
				t.Errorf("%s: %s is in %d places", p, full, places[full])
			}
		}
	}
	for h, err := range s.Harvests(t.Context()) {
		if err != nil {
			t.Errorf("%s: %v", p, err)
		} else if h.About().Documentation == "" {
			t.Errorf("%s: %s says nothing of the documentation", p, h.Found.Path())
		}
	}
	return all
}
