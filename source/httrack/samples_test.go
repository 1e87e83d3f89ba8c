package httrack

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/internal/lines"
	"quire/internal/testsamples"
	"quire/model"
	"quire/source"
)

func onlyHarvest(t *testing.T, tr *archivefs.Tree) *Harvest {
	t.Helper()
	claims, err := Reader{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 1 {
		t.Fatalf("%d mirrors, %v", len(claims), err)
	}
	h, err := claims[0].Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return h.(*Harvest)
}

// TestSampleMirrors reads the sample mirrors: every file has one URL or is HTTrack's own, every
// body in the cache is undamaged, and each row is a fetch.
func TestSampleMirrors(t *testing.T) {
	for _, c := range []struct {
		path            string
		software        string
		start           string
		zone            time.Duration
		captures, files int
		bodies, fetches int
		headers         int
	}{
		{"_made/crawls/httrack/devref.tar.gz", "HTTrack3.49-4+libhtsjava.so.2", "2026-11-20T21:17:23Z", 0, 122, 123, 75,
			128, 0},
		{"_made/crawls/httrack/devref-updated.tar.gz", "HTTrack3.49-4+libhtsjava.so.2", "2026-11-20T21:19:04Z", 0, 122,
			127, 75, 256, 0},
		{"_made/crawls/httrack/pandas.tar.gz", "HTTrack3.49-4+libhtsjava.so.2", "2026-11-20T21:18:14Z", 0, 121, 124, 74,
			127, 0},
		{"nla_httrack2warc/httrack/testcrawl-3.49-2.zip", "HTTrack3.49-2", "2018-02-02T06:27:21Z", 9 * time.Hour, 9, 16,
			8, 9, 9},
		{"0yukikaze0_hyperledger-fabric.docs/mirror", "HTTrack3.48-21", "2016-10-15T08:22:51Z",
			5*time.Hour + 30*time.Minute, 99, 101, 54, 106, 0},
	} {
		t.Run(c.path, func(t *testing.T) {
			tr, err := archivefs.Open(testsamples.Path(t, "samples", filepath.FromSlash(c.path)))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tr.Close() }()
			h := onlyHarvest(t, tr)
			a := h.About()
			if a.Software != c.software || a.Start.Format(time.RFC3339) != c.start || h.Mirror.zone.Ahead != c.zone ||
				a.EndReason != "mirror complete" || a.Documentation != model.Documented {
				t.Errorf("%s, %v, %v, %q, %s", a.Software, a.Start, h.Mirror.zone, a.EndReason, a.Documentation)
			}
			for _, f := range a.Findings {
				// a URL of the PANDAS sample got no response
				if f.Code != source.CodeSecret && (f.Code != findEnd || f.Severity != model.Info) {
					t.Error(f)
				}
			}
			bodies, headers := readAll(t, h.Mirror)
			fetches := 0
			for _, err := range h.Fetches(context.Background(), func(f model.Finding) { t.Error(f) }) {
				if fetches++; err != nil {
					t.Fatal(err)
				}
			}
			if len(h.Mirror.Captures) != c.captures || len(a.Files) != c.files || bodies != c.bodies ||
				fetches != c.fetches || headers != c.headers {
				t.Errorf("%d URLs, %d files, %d bodies, %d fetches, %d headers", len(h.Mirror.Captures), len(a.Files),
					bodies, fetches, headers)
			}
		})
	}
}

// readAll reads all bodies and headers, and checks that each file with content belongs to exactly
// one URL.
func readAll(t *testing.T, m *Mirror) (bodies, headers int) {
	content := contentOf(t, m)
	files := map[string]int{}
	for _, c := range m.Captures {
		if c.File != "" {
			files[c.File]++
		}
		if c.Response != nil {
			if text, err := content.Header(c.Response); err != nil || len(text) == 0 {
				t.Errorf("%s: %v", c.URL, err)
			}
			headers++
		}
		if c.Entry == nil || !c.Entry.InCache {
			continue
		}
		b, err := content.Body(c.Entry)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, b); err != nil || n != c.Entry.Length {
			t.Errorf("%s: %d bytes, %v", c.URL, n, err)
		}
		bodies++
	}
	for _, f := range m.Files {
		want := 0
		if f.Role == model.RoleContent {
			want = 1
		}
		if files[f.Path] != want {
			t.Errorf("%s, %s, is that of %d URLs", f.Path, f.Role, files[f.Path])
		}
	}
	return bodies, headers
}

// TestSampleLogs reads each row and each header of NLA's test logs.
func TestSampleLogs(t *testing.T) {
	open := func(name string) *os.File {
		f, err := os.Open(testsamples.Path(t, "samples", "nla_httrack2warc", "httrack", name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	for name, want := range map[string]int{"test-hts-new.txt": 13, "test-hts-new2.txt": 17} {
		n := 0
		err := readRows(open(name), func(*Row) error {
			n++
			return nil
		}, func(l *lines.Reader, problem string) { t.Errorf("%s:%d: %s", name, l.Number, problem) })
		if n != want || err != nil {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
	}
	for name, want := range map[string][2]int{"test-hts-ioinfo.txt": {6, 3}, "test-hts-ioinfo-3.01.txt": {4, 2}} {
		var n [2]int
		p := ioinfo{agent: func(string) {}, secret: func(*lines.Reader, string) {},
			found: func(_ string, response bool, _ Headers) {
				if response {
					n[1]++
				} else {
					n[0]++
				}
			}}
		if err := p.read(open(name)); err != nil || n != want {
			t.Errorf("%s: %v requests and responses, %v", name, n, err)
		}
	}
	var j journal
	if err := readMessages(open("test-hts-log.txt"), &j, func(message) bool { return true }); err != nil ||
		j.Software != "HTTrack3.21-4" || readOptions(arguments(j.Command)).Output != "/pandas/working/13982/20030403" {
		t.Errorf("%+v, %v", j, err)
	}
}
