package httrack

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quire/internal/archivefs"
)

// TestMirrorWithoutCacheAndLog has a mirror of which only the pages and pictures are left, as the
// mirrors of 2002 and 2004 in many libraries. HTTrack's comments give URLs and dates; the mtimes are
// those of a copy.
func TestMirrorWithoutCacheAndLog(t *testing.T) {
	page := func(url, clock string) string {
		return "<html><!-- Mirrored from " + url + " by HTTrack Website Copier/3.x [XR&CO'2002], Thu, 03 Apr 2003 " +
			clock + " GMT --><title>x</title>"
	}
	copied := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	files := map[string]string{"2003/www.a.test/index.html": page("www.a.test/", "13:59:55"),
		"2003/www.a.test/q97dd.html":   page("www.a.test/q?a=1", "14:10:00"),
		"2003/www.a.test/i.gif":        "GIF89a",
		"2003/www.b.test/x.html":       "<html>without a comment",
		"2003/index.html":              "<html>Local index - HTTrack Website Copier",
		"other/www.c.test/index.html":  page("www.elsewhere.test/", "14:10:00"), // HTTrack saved it for another
		"other/www.c.test/second.html": "<html>",
	}
	dir := t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p, copied, copied); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := archivefs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	claims, err := Reader{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 1 || claims[0].Root != "2003" || len(claims[0].Files) != 5 {
		t.Fatalf("%+v, %v", claims, err)
	}
	h, err := claims[0].Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	first, last := time.Date(2003, 4, 3, 13, 59, 55, 0, time.UTC), time.Date(2003, 4, 3, 14, 10, 0, 0, time.UTC)
	if a := h.About(); !a.Start.Equal(first) || !a.End.Equal(last) {
		t.Errorf("%v to %v", a.Start, a.End)
	}
	all, _ := tell(t, h.(*Harvest))
	want := map[string]struct {
		file   string
		at     time.Time
		leeway time.Duration
	}{
		"http://www.a.test/":       {"2003/www.a.test/index.html", first, dayLong},
		"http://www.a.test/q?a=1":  {"2003/www.a.test/q97dd.html", last, dayLong},
		"http://www.a.test/i.gif":  {"2003/www.a.test/i.gif", first, last.Sub(first) + dayLong},
		"http://www.b.test/x.html": {"2003/www.b.test/x.html", first, last.Sub(first) + dayLong},
	}
	for _, r := range all {
		w, ok := want[r.URL]
		if !ok || r.File != w.file || !r.Time.Equal(w.at) || r.Leeway != w.leeway || r.Assumed == "" {
			t.Errorf("%s: %s at %v ± %v, assumed %q", r.URL, r.File, r.Time, r.Leeway, r.Assumed)
		}
		delete(want, r.URL)
	}
	for url := range want {
		t.Errorf("%s is lost", url)
	}
}
