package reconcile

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
)

// copied copies samples into a folder where they may be changed.
func copied(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		b, err := os.ReadFile(testsamples.Path(t, "samples", f))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// one reconciles the one harvest of a source and lists the lost URLs.
func one(t *testing.T, dir string) (h *HarvestResult, lost []string) {
	t.Helper()
	result, err := Source(context.Background(), Options{List: func(e Entry) error {
		if e.Class == Lost && e.Kind == LoggedWithoutRecord {
			lost = append(lost, e.URL)
		}
		return nil
	}}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Harvests) != 1 {
		t.Fatalf("%d harvests", len(result.Harvests))
	}
	return result.Harvests[0], lost
}

const nasCompression = "netarchivesuite_compression/history/ORIGINALS/"

// The complete job of NetarchiveSuite: metadata file and container. Log, index, list, six reports
// and records agree, although the container was renamed. Without the container, each of its URLs is
// reported.
func TestNetarchiveSuiteJob(t *testing.T) {
	dir := copied(t, nasCompression+"3-metadata-1.arc",
		nasCompression+"precompress/3-1-20161205101105604-00000-14970.arc")
	h, lost := one(t, dir)
	w := h.Witnesses
	if h.Outcome != Explained || len(h.Differences) > 0 || len(lost) > 0 || w.Log.Lines != 16 || w.Log.Fetched != 15 ||
		w.Index.Entries != 15 || len(w.Lists) != 1 || len(w.Reports) != 6 {
		t.Errorf("whole:\n%s", textOf(h))
	}
	if h.Joined.Digest != 15 || h.Joined.IndexAt != 15 || len(h.DependsOn) != 1 || h.DependsOn[0].URLs != 7 {
		t.Errorf("joined %+v, depends on %+v", h.Joined, h.DependsOn)
	}

	if err := os.Remove(filepath.Join(dir, "3-1-20161205101105604-00000-14970.arc")); err != nil {
		t.Fatal(err)
	}
	h, lost = one(t, dir)
	want := []string{"container_absent container_absent 1", "index_without_record container_absent 15",
		"logged_without_record container_absent 15"}
	if got := h.found(); h.Outcome != Lost || !slices.Equal(got, want) || h.LostCaptures != 15 {
		t.Errorf("without the container: %q\n%s", got, textOf(h))
	}
	if len(lost) != 15 || !slices.Contains(lost, "http://www.kaarefc.dk/avatar.png") ||
		!slices.Contains(lost, "dns:jigsaw.w3.org") || slices.Contains(lost, "http://jigsaw.w3.org/robots.txt") {
		t.Errorf("lost are %q", lost)
	}
}

// The job of the Web Curator Tool. The makers of the sample cut its ARC at the third capture and
// changed its line ends; the METS has the original size. Therefore all differences are explained,
// and the lost captures are listed.
func TestWebCuratorToolJob(t *testing.T) {
	const folder = "WebCuratorTool_webcurator/webcurator-submit-to-rosetta/"
	names, err := os.ReadDir(testsamples.Path(t, "samples", folder, "WctFiles"))
	if err != nil {
		t.Fatal(err)
	}
	files := []string{folder + "METS-11141123.xml"}
	for _, n := range names {
		files = append(files, folder+"WctFiles/"+n.Name())
	}
	dir := copied(t, files...)
	h, lost := one(t, dir)
	if h.Outcome != Lost || h.Totals.Unexplained != 0 || h.LostCaptures != 319 || len(lost) != 319 ||
		h.Witnesses.Log.Fetched != 322 || len(h.Witnesses.Lists) != 1 {
		t.Errorf("whole: %d lost\n%s", len(lost), textOf(h))
	}
	if len(h.Containers) != 1 || h.Containers[0].Listed != 88_062_834 ||
		!strings.Contains(h.Containers[0].CutReason, "METS-11141123.xml") {
		t.Errorf("%+v", h.Containers)
	}
	// These captures exist, so they must not be among the lost captures.
	for _, there := range []string{"dns:www.nzcee.co.nz", "http://www.nzcee.co.nz/robots.txt",
		"http://www.nzcee.co.nz/"} {
		if slices.Contains(lost, there) {
			t.Errorf("%s exists, but is reported as lost", there)
		}
	}
	if err := os.Remove(filepath.Join(dir, "WCT-20070813080023-00003-skynet.arc")); err != nil {
		t.Fatal(err)
	}
	h, lost = one(t, dir)
	want := []string{"container_absent container_absent 1", "index_without_record container_absent 3",
		"logged_without_record container_absent 322"}
	// the index also has the filedesc, which is not a capture
	if got := h.found(); h.Outcome != Lost || !slices.Equal(got, want) || len(lost) != 322 || h.LostCaptures != 322 {
		t.Errorf("without the ARC: %q, %d lost\n%s", got, len(lost), textOf(h))
	}
}

// TestMetadataFilesAlone reads NetarchiveSuite metadata files without their containers. Each URL in
// such a file is reported. The only unexplained differences are wrong counts in the reports.
func TestMetadataFilesAlone(t *testing.T) {
	for file, want := range map[string]struct{ lost, unexplained int64 }{
		nasCompression + "metadata/3-metadata-1.warc.gz":                                               {1539, 0},
		nasCompression + "metadata/3-metadata-1.arc.gz":                                                {15, 0},
		nasCompression + "metadata/1545-metadata-2.arc.gz":                                             {8763, 0},
		nasCompression + "10-metadata-1.warc":                                                          {7, 0},
		"netarchivesuite_netarchivesuite/harvester/webinterface/data/warc-originals/1-metadata-1.warc": {306, 0},
		// and 15 duplicates
		"netarchivesuite_netarchivesuite/history/wayback/data/originals/12345-metadata-4.arc": {36, 0},
	} {
		h, _ := one(t, copied(t, file))
		if h.LostCaptures != want.lost || h.Totals.Unexplained != want.unexplained {
			t.Errorf("%s: %d lost\n%s", file, h.LostCaptures, textOf(h))
		}
	}
}

// wget's own index agrees with its containers, except one offset, which wget recorded before it
// began the next container.
func TestWget(t *testing.T) {
	result, err := Source(context.Background(), Options{}, testsamples.Path(t, "samples", "_made/crawls/wget"))
	if err != nil {
		t.Fatal(err)
	}
	entries, placed, rollover := int64(0), int64(0), 0
	for _, h := range result.Harvests {
		entries += h.Witnesses.Index.Entries
		placed += h.Joined.IndexAt
		for _, d := range h.Differences {
			for _, b := range d.Reasons {
				if b.Code == reasonRollover.Code {
					rollover++
				}
			}
		}
		if h.Outcome != Explained {
			t.Errorf("%s", textOf(h))
		}
	}
	if placed < 630 || entries < placed || rollover != 1 {
		t.Errorf("%d entries, %d in their places, %d at a rollover", entries, placed, rollover)
	}
}

// A mirror of HTTrack: each URL with a body has a file, or a body in the cache.
func TestHTTrack(t *testing.T) {
	h, _ := one(t, testsamples.Path(t, "samples", "_made/crawls/httrack/devref.tar.gz"))
	if got := h.found(); h.Outcome != Explained ||
		!slices.Equal(got, []string{"logged_without_record not_kept_by_mirrors 13"}) || h.Witnesses.Log.Fetched != 128 {
		t.Errorf("%q\n%s", got, textOf(h))
	}
}
