package wget

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/source"
)

// dated writes a mirror of n files, saved a second apart, on a clock one hour ahead. The mtimes of
// the files are late by the given time.
func dated(t *testing.T, n int, log, files time.Time) *mirror {
	t.Helper()
	dir := t.TempDir()
	write := func(name, content string, at time.Time) {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
	}
	var text strings.Builder
	for i := range n {
		name, local := fmt.Sprintf("a.test/%d.png", i), saved.Add(time.Hour+time.Duration(i)*time.Second)
		text.WriteString(strings.ReplaceAll(request("http://"+name, "image/png", name, 1), "2026-11-22 16:16:28",
			local.Format(time.DateTime)))
		write(name, "x", files.Add(time.Duration(i)*time.Second))
	}
	fmt.Fprintf(&text, "FINISHED --%s--\nTotal: 1\nDownloaded: 1\n",
		saved.Add(time.Hour+time.Duration(n-1)*time.Second).Format(time.DateTime))
	write("w.log", text.String(), log.Add(time.Duration(n-1)*time.Second))
	tr, err := archivefs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	return onlyMirror(t, tr)
}

// TestDates checks that the dates of a mirror follow from all evidence, and that evidence that is
// weak or disagrees gives a range which contains the true time, and a finding.
func TestDates(t *testing.T) {
	for _, c := range []struct {
		name       string
		log, files time.Time
		leeway     time.Duration
		doubt      string
	}{
		{"the log and the files agree", saved, saved, 0, ""},
		{"the files alone", time.Time{}.Add(time.Hour), saved, 0, ""},
		{"the log was touched three hours later", saved.Add(3 * time.Hour), saved, 3 * time.Hour, "disagree"},
		{"the log was touched a quarter later", saved.Add(75 * time.Minute), saved, 0, ""}, // no place has -00:15
		{"the log alone", saved, served, 13 * time.Hour, "weak"},
		{"the log alone, touched", saved.Add(3 * time.Hour), served, 16 * time.Hour, "weak"},
		{"neither", time.Time{}.Add(time.Hour), served, farZone, ""},
	} {
		m := dated(t, 4, c.log, c.files)
		for r, err := range m.Resources(context.Background(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			var n int
			if _, err := fmt.Sscanf(r.URL, "http://a.test/%d.png", &n); err != nil {
				t.Fatal(err)
			}
			was := saved.Add(time.Duration(n) * time.Second)
			if r.Leeway != c.leeway || r.Time.Sub(was).Abs() > c.leeway {
				t.Errorf("%s: %s ± %v, and it was %s: %s", c.name, r.Time, r.Leeway, was, r.TimeFrom)
			}
		}
		found := ""
		for _, f := range m.About().Findings {
			if f.Code == source.CodeClock {
				found += f.Message
			}
		}
		if (found == "") != (c.doubt == "") || !strings.Contains(found, c.doubt) ||
			m.About().Start.IsZero() != (c.leeway > 0) {
			t.Errorf("%s: %q", c.name, found)
		}
	}
}
