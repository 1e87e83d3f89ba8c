package httrack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/source"
)

// TestTouchedLogDisputesTheZone has pages from a clock ten hours ahead, and a log that was written
// three hours later, as a copy is. The dates that the log alone gives have a range, with a finding.
func TestTouchedLogDisputesTheZone(t *testing.T) {
	footer := "<html><!-- Mirrored from a.test/ by HTTrack Website Copier/3.x [XR&CO'2002], Thu, 03 Apr 2003 " +
		"13:59:55 GMT -->"
	last := time.Date(2003, 4, 3, 13, 59, 58, 0, time.UTC)
	for _, c := range []struct {
		late   time.Duration
		leeway time.Duration
	}{{0, 0}, {3 * time.Hour, 3 * time.Hour}, {15 * time.Minute, 0}, {3*time.Hour + time.Minute, 0}} {
		dir := t.TempDir()
		for name, content := range map[string]string{"hts-log.txt": log2003 + complete,
			"hts-cache/new.txt": rowHead + row("23:59:55", 200, "added", "", "a.test/", "a.test/index.html") +
				row("23:59:58", 200, "added", "", "a.test/in.gif", "a.test/in.gif") +
				row("23:59:55", 200, "added", "", "a.test/b.html", "a.test/b.html") +
				row("23:59:58", 200, "added", "", "a.test/c.gif", "a.test/c.gif"),
			"a.test/index.html": footer, "a.test/b.html": strings.NewReplacer("a.test/", "a.test/b.html", "13:59:55",
				"13:59:56").Replace(footer), "a.test/in.gif": "xxxxx"} {
			p := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			at := last.Add(c.late)
			if strings.HasPrefix(name, "a.test") {
				at = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
			}
			if err := os.Chtimes(p, at, at); err != nil {
				t.Fatal(err)
			}
		}
		tr, err := archivefs.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		h := onlyHarvest(t, tr)
		all, _ := tell(t, h)
		if r := all[1]; r.URL != "http://a.test/in.gif" || !r.Time.Equal(last) || r.Leeway != c.leeway {
			t.Errorf("%v late: %s at %v ± %v, %s", c.late, r.URL, r.Time, r.Leeway, r.TimeFrom)
		}
		if r := all[0]; r.Time.Sub(last.Add(-3*time.Second)).Abs() > r.Leeway {
			t.Errorf("%v late: %s at %v ± %v, %s", c.late, r.URL, r.Time, r.Leeway, r.TimeFrom)
		}
		found := 0
		for _, f := range h.About().Findings {
			if f.Code == source.CodeClock {
				found++
			}
		}
		if (found == 1) != (c.leeway > 0) {
			t.Errorf("%v late: %v", c.late, h.About().Findings)
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
}
