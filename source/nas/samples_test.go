package nas

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/internal/testsamples"
	"quire/model"
	"quire/source"
)

const (
	nasSamples         = "samples/netarchivesuite_netarchivesuite"
	compressionSamples = "samples/netarchivesuite_compression/history/ORIGINALS"
)

// sample reads the one job in a single file, or in an archive.
func sample(t *testing.T, elem ...string) (*archivefs.Tree, source.Harvest) {
	t.Helper()
	p := testsamples.Path(t, elem...)
	tr, err := archivefs.Open(p)
	if err != nil {
		tr, err = archivefs.Single(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	return tr, only(t, tr)
}

// TestSampleMetadataFiles checks the facts from each real metadata file, with the number of its
// documents and of the lines of its crawl log.
func TestSampleMetadataFiles(t *testing.T) {
	for _, c := range []struct {
		file                         string
		job, collection, software    string
		definition, number, channel  string
		documents, fetches, unread   int
		documented                   model.Documentation
		start, end, reason, jobsSeen string
		secrets                      []string
		foreign                      []model.ForeignFile
	}{
		{file: nasSamples + "/harvester/webinterface/data/warc-originals/1-metadata-1.warc", job: "1",
			collection: "netarkivet-harvest-warc", software: "Heritrix 1.14.4",
			definition: "1", number: "0", channel: "HIGHPRIORITY", documents: 22, fetches: 312,
			documented: model.Documented,
			start:      "2012-12-19T19:18:33Z", end: "2012-12-19T19:38:39Z", reason: "Finished", jobsSeen: "none",
			secrets: []string{"heritrix_dmesg.log"}},
		{file: nasSamples + "/harvester/data/metadata/1-metadata-1.warc.zip", job: "1",
			collection: "netarkivet-harvest-warc", software: "Heritrix 1.14.4",
			definition: "1", number: "0", channel: "HIGHPRIORITY", documents: 22, fetches: 312,
			documented: model.Documented,
			start:      "2012-12-19T19:18:33Z", end: "2012-12-19T19:38:39Z", reason: "Finished", jobsSeen: "none",
			secrets: []string{"heritrix_dmesg.log"}},
		{file: nasSamples + "/harvester/data/metadata/1-metadata-1.arc.zip", job: "1", collection: "netarkivet-harvest",
			software:   "Heritrix 1.14.4",
			definition: "1", number: "0", channel: "HIGHPRIORITY", documents: 22, fetches: 312,
			documented: model.Documented,
			start:      "2012-12-19T17:23:07Z", end: "2012-12-19T17:43:13Z", reason: "Finished", jobsSeen: "none",
			secrets: []string{"heritrix_dmesg.log"}},
		{file: nasSamples + "/history/wayback/data/originals/1-metadata-1.warc", job: "1", collection: "test_harvest",
			software:   "Heritrix 1.14.4",
			definition: "1", number: "0", channel: "HIGHPRIORITY", documents: 20, fetches: 303,
			documented: model.Documented,
			start:      "2012-11-30T11:20:43Z", end: "2012-11-30T11:40:52Z", reason: "Finished", jobsSeen: "none",
			secrets: []string{"heritrix_dmesg.log"}},
		// Renamed: its original name is 1121-metadata-1.arc.
		{file: nasSamples + "/history/wayback/data/originals/12345-metadata-4.arc", job: "1121", collection: "130",
			software:   "Heritrix 1.12.1b",
			definition: "130", number: "58", channel: "HIGHPRIORITY", documents: 18, fetches: 51,
			documented: model.Documented,
			start:      "2009-06-01T15:36:19Z", end: "2009-06-01T15:36:39Z", reason: "Finished", jobsSeen: "1119",
			secrets: []string{"heritrix.out", "order.xml"},
			foreign: []model.ForeignFile{{Name: "1039-130-20090501153616-00000-sb-test-har-001.statsbiblioteket.dk.arc",
				Job: "1039", Duplicates: 14},
				{Name: "1094-130-20090522153621-00000-sb-test-har-001.statsbiblioteket.dk.arc", Job: "1094",
					Duplicates: 1}}},
		{file: compressionSamples + "/10-metadata-1.warc", job: "10", collection: "snapshot_o4o",
			software:   "Heritrix 3.3.0-LBS-2016-02",
			definition: "4", number: "1", channel: "LOWPRIORITY", documents: 25, fetches: 317,
			documented: model.Documented,
			start:      "2016-12-18T23:43:41Z", end: "2016-12-18T23:43:51Z", reason: "Finished", jobsSeen: "none",
			secrets: []string{"crawler-beans.cxml"}},
		{file: compressionSamples + "/3-metadata-1.arc", job: "3", collection: "t1",
			software:   "Heritrix 3.3.0-LBS-2016-02",
			definition: "1", number: "3", channel: "HIGHPRIORITY", documents: 27, fetches: 16,
			documented: model.Documented,
			start:      "2016-12-05T10:11:01Z", end: "2016-12-05T10:11:43Z", reason: "Finished", jobsSeen: "2",
			secrets: []string{"crawler-beans.cxml"},
			foreign: []model.ForeignFile{{Name: "2-1-20161205100306320-00000-4320~kb-test-har-004.kb.dk~8173.arc",
				Job: "2", Duplicates: 7}}},
		{file: compressionSamples + "/metadata/3-metadata-1.arc.gz", job: "3", collection: "t1",
			software:   "Heritrix 3.3.0-LBS-2016-02",
			definition: "1", number: "3", channel: "HIGHPRIORITY", documents: 27, fetches: 16,
			documented: model.Documented,
			start:      "2016-12-05T10:11:01Z", end: "2016-12-05T10:11:43Z", reason: "Finished", jobsSeen: "2",
			secrets: []string{"crawler-beans.cxml"},
			foreign: []model.ForeignFile{{Name: "2-1-20161205100306320-00000-4320~kb-test-har-004.kb.dk~8173.arc",
				Job: "2", Duplicates: 7}}},
		{file: compressionSamples + "/metadata/3-metadata-1.warc.gz", job: "3", collection: "snap2",
			software:   "Heritrix 3.3.0-LBS-2016-02",
			definition: "3", number: "1", channel: "LOWPRIORITY", documents: 27, fetches: 5986,
			documented: model.Documented,
			start:      "2016-12-05T13:09:10Z", end: "2016-12-05T13:20:32Z", reason: "Finished", jobsSeen: "2",
			secrets: []string{"crawler-beans.cxml"},
			foreign: []model.ForeignFile{{Name: "2-2-20161205125206020-00000-kb-test-har-004.kb.dk.warc", Job: "2",
				Duplicates: 533}}},
		{file: compressionSamples + "/metadata/1545-metadata-2.arc.gz", job: "1545", collection: "10",
			software:   "Heritrix 1.5.0-200506151248",
			definition: "10", documents: 14, fetches: 8902, documented: model.Documented,
			start: "2005-10-05T19:23:19Z", end: "2005-10-05T19:49:01Z", reason: "Aborting because of inactivity"},
		{file: nasSamples + "/history/viewerproxy/data/input/70-metadata-1.arc", job: "70", collection: "2",
			definition: "2", documents: 1, documented: model.PartlyDocumented},
		{file: nasSamples + "/history/viewerproxy/data/input/8-metadata-1.arc", job: "8", collection: "2",
			definition: "2", documents: 1, documented: model.PartlyDocumented},
		{file: nasSamples + "/history/crawldir/arcs/realistically-named-arcs/42-preharvest-metadata-1.arc", job: "117",
			collection: "42", definition: "42", number: "1",
			documents: 1, documented: model.PartlyDocumented},
		{file: nasSamples + "/history/crawldir/null-preharvest-metadata-1.arc", documents: 1,
			documented: model.Undocumented},
		// The name of this sample is not the name of a metadata file.
		{file: nasSamples + "/archive/checksum/distribute/data/original/basefiledir/NetarchiveSuite-correct2.arc",
			job: "1", collection: "1", software: "Heritrix 1.14.3",
			definition: "1", number: "0", channel: "HIGHPRIORITY", documents: 19, fetches: 612,
			documented: model.Documented,
			start:      "2009-05-14T14:21:00Z", end: "2009-05-14T14:26:01Z", reason: "Finished"},
	} {
		t.Run(c.file, func(t *testing.T) {
			tr, h := sample(t, c.file)
			about := h.About()
			first := func(fact string) string {
				if all := told(h, fact); len(all) > 0 {
					value, _, _ := strings.Cut(all[0], " | ")
					return value
				}
				return ""
			}
			at := func(t time.Time) string {
				if t.IsZero() {
					return ""
				}
				return t.Truncate(time.Second).Format(time.RFC3339)
			}
			for _, v := range [][3]string{
				{"job", about.ID, c.job}, {"collection", about.Collection, c.collection},
				{"software", about.Software, c.software},
				{"documentation", string(about.Documentation), string(c.documented)},
				{"definition", first("harvest definition"), c.definition},
				{"number", first("harvest number"), c.number}, {"channel", first("channel"), c.channel},
				{"start", at(about.Start), c.start}, {"end", at(about.End), c.end},
				{"reason", about.EndReason, c.reason},
				{"jobs", first("jobs that duplicates were looked for in"), c.jobsSeen},
			} {
				if v[1] != v[2] {
					t.Errorf("%s: got %q, want %q", v[0], v[1], v[2])
				}
			}
			if !slices.Equal(about.Foreign, c.foreign) {
				t.Errorf("foreign files %+v", about.Foreign)
			}
			checkSampleFiles(t, tr, h, c.documents, c.secrets)
			n := 0
			for _, err := range h.Fetches(t.Context(), func(f model.Finding) { t.Errorf("finding %v", f) }) {
				if n++; err != nil {
					t.Fatal(err)
				}
			}
			if n != c.fetches {
				t.Errorf("%d fetches, want %d", n, c.fetches)
			}
		})
	}
}

// checkSampleFiles opens every document, and compares the restricted documents with the expected
// list.
func checkSampleFiles(t *testing.T, tr *archivefs.Tree, h source.Harvest, documents int, secrets []string) {
	t.Helper()
	n := 0
	var restricted []string
	files := h.About().Files
	for i := range files {
		f := &files[i]
		if f.Record == nil {
			continue
		}
		if n++; int64(len(text(t, tr, h, f))) != f.Size {
			t.Errorf("%s is not as long as it says", f.Path)
		}
		if f.Restricted != "" {
			restricted = append(restricted, path.Base(f.Path))
		}
	}
	slices.Sort(restricted)
	if n != documents || !slices.Equal(restricted, secrets) {
		t.Errorf("%d documents, want %d; restricted are %q, want %q", n, documents, restricted, secrets)
	}
}

// TestSampleFolders reads the folders of two jobs of 2006 without a metadata file, and of a test of
// 2015.
func TestSampleFolders(t *testing.T) {
	for _, c := range []struct {
		root, job, collection string
		fetches               int
	}{
		{nasSamples + "/common/tools/data/originals/oldjobs/11_1140688359422", "11", "", 1988},
		{nasSamples + "/common/tools/data/originals/oldjobs/5_1140687204304", "5", "", 743},
		{nasSamples + "/crawldir", "42", "test-harvest", 107},
	} {
		_, h := sample(t, c.root)
		if h.About().ID != c.job || h.About().Collection != c.collection {
			t.Errorf("%s: job %q of %q", c.root, h.About().ID, h.About().Collection)
		}
		n := 0
		for _, err := range h.Fetches(t.Context(), nil) {
			if n++; err != nil {
				t.Fatal(err)
			}
		}
		if n != c.fetches {
			t.Errorf("%s: %d fetches", c.root, n)
		}
	}
}

// TestSampleEverything checks that all other samples cause no panic, and that only jobs with a
// document are claimed.
func TestSampleEverything(t *testing.T) {
	root := testsamples.Path(t, "samples")
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !isContainer(p) {
			return err
		}
		tr, err := archivefs.Single(p)
		if err != nil {
			return err
		}
		for _, h := range jobs(t, tr) {
			if _, named := parseMetadataName(p); len(h.About().Files) < 2 && !named {
				t.Errorf("%s is identified as job %s", p, h.About().ID)
			}
		}
		return tr.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
}
