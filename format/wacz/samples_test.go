package wacz

import (
	"archive/zip"
	"context"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"quire/format/fault"
	"quire/internal/testsamples"
)

// TestSamples checks the failures of every zipped WACZ sample. js-wacz 0.1.6 states a wrong hash
// for each of its containers here, and py-wacz's valid_example_2 states the size of another index;
// everything else is correct.
func TestSamples(t *testing.T) {
	for _, c := range []struct {
		path    string
		verdict Verdict
		signed  bool
		faults  string
	}{
		{"_made/crawls/wacz/wget-devref.wacz", Fail, false, "WACZ-RESOURCE-HASH"},
		{"_made/crawls/wacz/wget-devref-split.wacz", Fail, false,
			"WACZ-RESOURCE-HASH WACZ-RESOURCE-HASH WACZ-RESOURCE-HASH WACZ-RESOURCE-HASH"},
		{"_made/synthetic/wacz/deflated-warc.wacz", Pass, false, ""},
		{"_made/synthetic/wacz/good.wacz", Pass, false, ""},
		{"_made/synthetic/wacz/no-datapackage.wacz", NotChecked, false, "WACZ-DATAPACKAGE-MISSING"},
		{"harvard-lil_scoop/assets/fixtures/example.com.wacz", Pass, false, ""},
		{"harvard-lil_scoop/assets/fixtures/noarchive.netlify.app.wacz", Pass, false, ""},
		{"oduwsdl_ipwb/history/samples/wacz/my-collection.wacz", Pass, false, "WACZ-PAGES-MISSING"},
		{"sul-dlss_was_robot_suite/was_crawl/fixtures/stacks/data/collections/cc333dd4444/dd/111/dd/1111/WACZ-" +
			"Test.wacz", Pass, true, ""},
		{"webrecorder_browsertrix/example-2.wacz", Pass, true, ""},
		{"webrecorder_browsertrix/multi-wacz.wacz", Pass, false, ""},
		{"webrecorder_py-wacz/history/fixtures/25e2dd62_valid_example_1.wacz", Pass, false, ""},
		{"webrecorder_py-wacz/history/fixtures/43058d50_valid_example_1.wacz", Pass, false, "WACZ-PAGES-MISSING"},
		{"webrecorder_py-wacz/history/fixtures/example.wacz", Pass, false,
			"WACZ-PAGES-MISSING" + strings.Repeat(" WACZ-RESOURCE WACZ-RESOURCE-SIZE", 3)},
		{"webrecorder_py-wacz/history/fixtures/valid_example_0.wacz", NotChecked, false, "WACZ-DATAPACKAGE-MISSING"},
		{"webrecorder_py-wacz/history/fixtures/valid_example_1.wacz", Pass, false, ""},
		{"webrecorder_py-wacz/history/fixtures/valid_example_2.wacz", Fail, false,
			"WACZ-PAGES-MISSING WACZ-RESOURCE-SIZE"},
		{"webrecorder_pywb/waczs/invalid_example_1.wacz", Fail, false,
			"WACZ-PAGES-MISSING WACZ-INDEX-MISSING WACZ-ARCHIVE-MISSING WACZ-RESOURCE-MISSING WACZ-UNLISTED"},
		{"webrecorder_wabac.js/example.zip", NotChecked, false, "WACZ-DATAPACKAGE-MISSING"},
	} {
		t.Run(filepath.Base(c.path), func(t *testing.T) {
			var codes []string
			got, err := Check(context.Background(),
				zipped(t, testsamples.Path(t, "samples", filepath.FromSlash(c.path))),
				Options{Report: func(f fault.Fault) { codes = append(codes, string(f.Code)) }})
			if err != nil {
				t.Fatal(err)
			}
			signed := got.Step(StepSignature) != nil && got.Step(StepSignature).Verdict == Pass &&
				got.Step(StepSignedHash).Verdict == Pass
			if got.Verdict() != c.verdict || signed != c.signed || strings.Join(codes, " ") != c.faults {
				t.Errorf("%s, signed: %v, %s", got.Verdict(), signed, codes)
			}
		})
	}
}

func zipped(t *testing.T, path string) Files {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = z.Close() })
	f := Files{}
	byPath := map[string]*zip.File{}
	for _, e := range z.File {
		if !e.Mode().IsDir() {
			f.List = append(f.List, Entry{e.Name, int64(e.UncompressedSize64)})
			byPath[e.Name] = e
		}
	}
	f.Open = func(p string) (io.ReadCloser, error) {
		if e := byPath[p]; e != nil {
			return e.Open()
		}
		return nil, fs.ErrNotExist
	}
	return f
}
