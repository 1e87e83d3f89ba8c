package browsertrix

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/internal/testsamples"
	"quire/model"
	"quire/source"
)

// TestSamples reads every WACZ and every log of Browsertrix among the samples: software, crawl
// time, number of fetches, findings.
func TestSamples(t *testing.T) {
	for _, c := range []struct {
		path     string
		system   model.System
		software string
		start    string
		title    string
		seeds    int
		fetches  int
		findings string
	}{
		{"_made/crawls/wacz/wget-devref.wacz", model.Wget, "Wget/1.21.3 (linux-gnu)", "2026-11-20T21:19:43Z",
			"devref test crawl", 2, 238, "WACZ-RESOURCE-HASH"},
		{"_made/crawls/wacz/wget-devref-split.wacz", model.Wget, "Wget/1.21.3 (linux-gnu)", "2026-11-20T21:20:09Z",
			"WACZ", 2, 63, "WGET-LOG-LOST WACZ-RESOURCE-HASH WACZ-RESOURCE-HASH WACZ-RESOURCE-HASH WACZ-RESOURCE-HASH"},
		{"_made/synthetic/wacz/deflated-warc.wacz", model.WACZ, "synth.py test data", "2025-11-01T10:00:00Z", "t", 0, 1,
			findCompressed},
		{"_made/synthetic/wacz/good.wacz", model.WACZ, "synth.py test data", "2025-11-01T10:00:00Z", "t", 0, 1, ""},
		{"_made/synthetic/wacz/no-datapackage.wacz", model.WACZ, "synth.py test data", "2025-11-01T10:00:00Z", "", 0, 1,
			"WACZ-DATAPACKAGE-MISSING"},
		{"_made/synthetic/wacz/truncated.wacz", model.WACZ, "synth.py test data", "2025-11-01T10:00:00Z", "t", 0, 1,
			"WACZ-RESOURCE-MISSING WACZ-RESOURCE-MISSING WACZ-RESOURCE-MISSING"},
		{"harvard-lil_scoop/assets/fixtures/example.com.wacz", model.WACZ,
			"Scoop @ Harvard Library Innovation Lab v0.0.1", "2023-02-19T00:49:59Z", "", 1, 3, ""},
		{"harvard-lil_scoop/assets/fixtures/noarchive.netlify.app.wacz", model.WACZ,
			"Scoop @ Harvard Library Innovation Lab v0.0.1", "2023-02-19T00:52:06Z", "", 1, 3, ""},
		{"oduwsdl_ipwb/history/samples/wacz/my-collection.wacz", model.Wget, "Wget/1.18 (darwin15.5.0)",
			"2017-03-01T19:26:39Z", "", 2, 4, "WACZ-PAGES-MISSING"},
		{"sul-dlss_was_robot_suite/was_crawl/fixtures/stacks/data/collections/cc333dd4444/dd/111/dd/1111/WACZ-" +
			"Test.wacz", model.WACZ, "Archiveweb.page Express 0.2.2, using Webrecorder ArchiveWeb.page 0.7.10," +
			" using warcio.js 1.5.1", "2022-06-23T16:47:33Z", "", 0, 3, findSigned},
		{"webrecorder_browsertrix/example-2.wacz", model.WACZ,
			"Webrecorder ArchiveWeb.page 0.10.1, using warcio.js 2.1.0", "2023-07-04T03:20:01Z", "example-com", 0, 1,
			findSigned},
		{"webrecorder_py-wacz/history/fixtures/25e2dd62_valid_example_1.wacz", model.WACZ,
			"Webrecorder Platform v4.9.0", "2020-10-07T21:22:36Z", "Example Collection", 0, 1, ""},
		{"webrecorder_py-wacz/history/fixtures/43058d50_valid_example_1.wacz", model.WACZ,
			"Webrecorder Platform v4.9.0", "2020-10-07T21:22:36Z", "Example Collection", 0, 1, "WACZ-PAGES-MISSING"},
		{"webrecorder_py-wacz/history/fixtures/example.wacz", model.WACZ, "Webrecorder Platform v4.9.0",
			"2020-10-07T21:22:36Z", "Example Collection", 0, 1,
			"WACZ-PAGES-MISSING" + strings.Repeat(" WACZ-RESOURCE WACZ-RESOURCE-SIZE", 3)},
		{"webrecorder_py-wacz/history/fixtures/valid_example_0.wacz", model.WACZ, "Webrecorder Platform v4.9.0",
			"2020-10-07T21:22:36Z", "Example Collection", 0, 1, "WACZ-DATAPACKAGE-MISSING"},
		{"webrecorder_py-wacz/history/fixtures/valid_example_1.wacz", model.WACZ, "Webrecorder Platform v4.9.0",
			"2020-10-07T21:22:36Z", "Example Collection", 0, 1, ""},
		{"webrecorder_py-wacz/history/fixtures/valid_example_2.wacz", model.WACZ, "Webrecorder Platform v4.9.0",
			"2020-10-07T21:22:36Z", "Example Collection", 0, 1, "WACZ-PAGES-MISSING WACZ-RESOURCE-SIZE"},
		{"webrecorder_pywb/waczs/invalid_example_1.wacz", model.WACZ, "", "", "", 0, 0,
			"WACZ-PAGES-MISSING WACZ-INDEX-MISSING WACZ-ARCHIVE-MISSING WACZ-RESOURCE-MISSING WACZ-UNLISTED"},
		{"webrecorder_wabac.js/example.zip", model.WACZ, "webrecorder.io 2.0 (warcprox 1.4-20151006074455-78e4ecd)",
			"2014-01-26T20:06:24Z", "Example Collection", 0, 2, "WACZ-DATAPACKAGE-MISSING"},
		{"harvard-lil_js-wacz/logs", model.Browsertrix, "Browsertrix-Crawler 1.2.6 (with warcio.js 2.2.1)",
			"2024-08-13T19:53:20Z", "", 1, 2, ""},
		{"webrecorder_py-wacz/logs", model.Browsertrix, "", "2023-02-23T20:29:36Z", "", 1, 9, ""},
	} {
		t.Run(filepath.Base(c.path), func(t *testing.T) {
			tr := openTree(t, testsamples.Path(t, "samples", filepath.FromSlash(c.path)))
			sampleIs(t, one(t, tr), c.system, c.software, c.start, c.title, c.seeds, c.fetches, c.findings)
		})
	}
}

// one returns the only harvest of a source.
func one(t *testing.T, tr *archivefs.Tree) source.Harvest {
	t.Helper()
	if tr.Kind() == archivefs.Folder {
		return only(t, tr, Loose{})
	}
	return only(t, tr, Reader{})
}

func sampleIs(t *testing.T, h source.Harvest, system model.System, software, start, title string, seeds, fetches int,
	findings string) {
	t.Helper()
	a := h.About()
	began := ""
	if !a.Start.IsZero() {
		began = a.Start.UTC().Format(time.RFC3339)
	}
	if a.System != system || a.Software != software || began != start || a.Title != title || len(a.Seeds) != seeds ||
		codes(a) != findings {
		t.Errorf("%s, %q, %s, %q, %q, %s", a.System, a.Software, began, a.Title, a.Seeds, codes(a))
	}
	n := 0
	for f, err := range h.Fetches(context.Background(), func(f model.Finding) { t.Error(f) }) {
		if n++; err != nil || f.URI == "" {
			t.Errorf("%+v, %v", f, err)
		}
	}
	if n != fetches {
		t.Errorf("%d fetches", n)
	}
}

// TestSampleCollection reads both packages of a collection, with its title.
func TestSampleCollection(t *testing.T) {
	outer := openTree(t, testsamples.Path(t, "samples", "webrecorder_browsertrix", "multi-wacz.wacz"))
	n := 0
	for _, f := range outer.Files() {
		if !strings.HasSuffix(f.Path, ".wacz") {
			continue
		}
		inner, err := outer.Nested(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		n++
		a := only(t, inner, Reader{}).About()
		if a.Collection != "Bundle sizes" || a.Organization != "default-org" || codes(a) != findSigned ||
			!strings.Contains(a.Findings[0].Message, "signature: pass") {
			t.Errorf("%q, %q, %v", a.Collection, a.Organization, a.Findings)
		}
		if err := inner.Close(); err != nil {
			t.Error(err)
		}
	}
	if n != 2 {
		t.Errorf("%d packages", n)
	}
}
