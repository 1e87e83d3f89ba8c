package wget

import (
	"context"
	"path"
	"path/filepath"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/internal/testsamples"
	"quire/model"
	"quire/source"
)

// TestSampleSets reads every set of Wget among the samples: the facts about its run, and the number
// of requests in its log.
func TestSampleSets(t *testing.T) {
	for _, c := range []struct {
		folder, file  string // the first container
		software      string
		start, end    string
		seeds         int
		fetches, miss int
		findings      string
		documentation model.Documentation
	}{
		{"_made/crawls/wget", "wget-devref.warc.gz", "Wget/1.21.3 (linux-gnu)", "2026-11-20T21:19:43Z",
			"2026-11-20T21:19:53Z", 2, 238, 0, "", model.Documented},
		{"_made/crawls/wget", "wget-devref-split-00000.warc.gz", "Wget/1.21.3 (linux-gnu)", "2026-11-20T21:20:09Z",
			"2026-11-20T21:20:20Z", 2, 238, 0, "", model.Documented},
		{"_made/crawls/wget", "wget-devref-dedup.warc.gz", "Wget/1.21.3 (linux-gnu)", "2026-11-20T21:19:53Z",
			"2026-11-20T21:20:05Z", 2, 238, 0, "", model.Documented},
		{"_made/crawls/wget", "wget-devref-plain-nodigest.warc", "Wget/1.21.3 (linux-gnu)", "2026-11-20T21:20:05Z",
			"2026-11-20T21:20:09Z", 1, 0, 0, "", model.PartlyDocumented},
		{"_made/crawls/wget", "wget-ftp.warc.gz", "Wget/1.21.3 (linux-gnu)", "2026-11-20T21:20:46Z",
			"2026-11-20T21:20:46Z", 1, 5, 0, "", model.Documented},
		{"_made/crawls/wget", "wget-post.warc", "Wget/1.21.3 (linux-gnu)", "2026-11-20T21:20:20Z",
			"2026-11-20T21:20:20Z", 1, 1, 0, "", model.Documented},
		{"_made/crawls/wget-large", "python311-docs.warc.gz", "Wget/1.21.3 (linux-gnu)", "2026-11-20T21:21:22Z",
			"2026-11-20T21:21:53Z", 1, 557, 0, "", model.Documented},
		{"chfoo_warcat", "at.warc.gz", "Wget/1.13.4-2608 (linux-gnu)", "2013-04-09T00:11:14Z", "2013-04-09T00:11:14Z",
			1, 2, 0, findUnfinished, model.Documented},
		{"iipc_openwayback/history/warcs", "sopa-wikipedia-homepage.warc.gz", "Wget/1.12-2507-dirty (darwin11.2.0)",
			"2012-01-18T14:31:20Z", "2012-01-18T14:31:38Z", 0, 86, 12, "", model.Documented},
		{"iipc_webarchive-commons/format/gzip", "IAH-urls-wget.warc.gz", "Wget/1.14 (darwin11.4.0)",
			"2013-10-21T21:53:06Z", "2013-10-21T21:53:18Z", 0, 16, 0, "", model.Documented},
		{"internetarchive_CDX-Writer", "wget_ia.warc.gz", "Wget/1.14 (darwin12.2.0)", "2014-03-14T17:32:16Z", "", 1, 0,
			0, findLost, model.PartlyDocumented},
		{"nla_bamboo/task", "notfound.warc.gz", "Wget/1.18 (linux-gnu)", "2016-11-28T01:53:13Z", "2016-11-28T01:53:13Z",
			1, 0, 0, "", model.PartlyDocumented},
		{"oduwsdl_ipwb/warcs", "froggie.warc.gz", "Wget/1.18 (darwin15.5.0)", "2017-03-01T19:26:39Z",
			"2017-03-01T19:26:39Z", 1, 3, 0, "", model.Documented},
	} {
		t.Run(c.file, func(t *testing.T) {
			h := sampleSet(t, c.folder, c.file)
			a := h.About()
			if a.Software != c.software || a.Start.Format(time.RFC3339) != c.start || c.end != "" &&
				a.End.Format(time.RFC3339) != c.end || len(a.Seeds) != c.seeds || codes(a) != c.findings ||
				a.Documentation != c.documentation || a.Robots != "classic" {
				t.Errorf("%s, %s to %s, %q, %v, %s", a.Software, a.Start, a.End, a.Seeds, a.Findings, a.Documentation)
			}
			fetches, miss := 0, 0
			for f, err := range h.Fetches(context.Background(), func(f model.Finding) { t.Error(f) }) {
				if err != nil || f.Time.IsZero() || f.Time.Before(a.Start.Add(-time.Minute)) ||
					f.Time.After(a.End.Add(time.Minute)) {
					t.Errorf("%+v, %v", f, err)
				}
				if fetches++; f.Miss != "" {
					miss++
				}
			}
			if fetches != c.fetches || miss != c.miss {
				t.Errorf("%d requests, %d without content", fetches, miss)
			}
		})
	}
}

func sampleSet(t *testing.T, folder, file string) source.Harvest {
	t.Helper()
	tr, err := archivefs.Open(testsamples.Path(t, "samples", filepath.FromSlash(folder)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	claims, err := Reader{}.Find(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range claims {
		if path.Base(c.Files[0]) == file {
			h, err := c.Read(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			return h
		}
	}
	t.Fatalf("%s was not found", file)
	return nil
}
