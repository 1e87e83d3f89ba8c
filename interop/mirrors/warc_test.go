//go:build interop

package mirrors

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/format/warc"
	"quire/internal/archivefs"
	"quire/internal/testsamples"
	"quire/interop/internal/peers"
	preserve "quire/preserve/convert/mirror"
	"quire/source"
	"quire/source/httrack"
)

// The mirrors of HTTrack among the samples.
var samples = []string{
	"_made/crawls/httrack/devref.tar.gz", "_made/crawls/httrack/devref-updated.tar.gz",
	"_made/crawls/httrack/pandas.tar.gz",
	"nla_httrack2warc/httrack/testcrawl-3.49-2.zip", "0yukikaze0_hyperledger-fabric.docs/mirror",
}

// converted makes a WARC of each mirror. One mirror has no cache, so its rewritten links must be
// restored.
func converted(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	var files []string
	for _, name := range samples {
		for _, cached := range []bool{true, false} {
			tr, err := archivefs.Open(testsamples.Path(t, "samples", filepath.FromSlash(name)))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tr.Close() }()
			ending := ".warc.gz"
			if !cached {
				tr, ending = tr.Only(func(p string) bool { return !strings.HasSuffix(p, ".zip") }), "-uncached.warc.gz"
			}
			file := filepath.Join(dir, strings.ReplaceAll(name, "/", "-")+ending)
			convert(t, tr, file)
			files = append(files, file)
		}
	}
	return files
}

func convert(t *testing.T, tr *archivefs.Tree, file string) {
	t.Helper()
	claims, err := httrack.Reader{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 1 {
		t.Fatalf("%d mirrors, %v", len(claims), err)
	}
	h, err := claims[0].Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	_, err = preserve.Convert(context.Background(), h.(source.Mirror), out,
		preserve.Options{Name: "sample", Software: "Quire/interop", Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	if err = errors.Join(err, out.Close()); err != nil {
		t.Fatal(err)
	}
}

// inexact are files with a date to the minute, because the time of a file has a range. WARC 1.1, 5.4, allows it, as it
// allows dates to the day, and jwarc 0.36 reads neither.
var inexact = map[string]bool{
	"_made-crawls-httrack-pandas.tar.gz.warc.gz":          true,
	"_made-crawls-httrack-pandas.tar.gz-uncached.warc.gz": true,
}

// Peers find no errors in the WARC files of mirrors.
func TestPeersFindNoFaultWithMirrors(t *testing.T) {
	files := converted(t)
	for _, peer := range peers.Peers {
		if peer.Name == "jhove" { // its WARC module predates WARC 1.1 and refuses all
			continue
		}
		said := peer.Ask(t, files)
		for _, file := range files {
			v := said[file]
			if peer.Name == "jwarc" && inexact[filepath.Base(file)] && strings.Contains(v.Reason, "DateTimeParseException") {
				continue
			}
			if v.Word != peers.Valid {
				t.Errorf("%s says of %s: %s %s", peer.Name, filepath.Base(file), v.Word, v.Reason)
			}
		}
		t.Logf("%s: %d files", peer.Name, len(files))
	}
}

// Peers find each written capture: URL, date, status and payload digest.
func TestPeersFindTheCaptures(t *testing.T) {
	files := converted(t)
	for _, peer := range []struct {
		name   string
		ask    func(*testing.T, []string) map[string]peers.Captures
		digest func(warc.Digest) string
		kinds  []string
	}{
		{"pywb", peers.Pywb, func(d warc.Digest) string {
			return strings.TrimPrefix(warc.FormatDigest("sha1", d.Sum), "sha1:")
		}, []string{warc.TypeResponse, warc.TypeResource, warc.TypeConversion}},
		{"jwarc", peers.Jwarc, func(d warc.Digest) string {
			return hexOf(d.Sum)
		}, []string{warc.TypeResponse, warc.TypeResource}},
	} {
		seen := peer.ask(t, files)
		all := 0
		for _, file := range files {
			want := written(t, file, peer.kinds, peer.digest)
			got := seen[file].Captures
			if len(seen[file].Complaints) > 0 {
				t.Errorf("%s complains of %s: %v", peer.name, filepath.Base(file), seen[file].Complaints)
			}
			for i := range got {
				if got[i].Status == "-" || !strings.HasPrefix(got[i].URL, "http") {
					got[i].Status = "200" // a resource has no status, and replay shows it as found
				}
			}
			for _, c := range want {
				if !slices.Contains(got, c) {
					t.Errorf("%s does not find %v in %s", peer.name, c, filepath.Base(file))
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s finds %d captures in %s, of %d", peer.name, len(got), filepath.Base(file), len(want))
			}
			all += len(want)
		}
		t.Logf("%s: all %d captures in %d files", peer.name, all, len(files))
	}
}

func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	s := make([]byte, 0, 2*len(b))
	for _, c := range b {
		s = append(s, digits[c>>4], digits[c&15])
	}
	return string(s)
}

// told is the number of characters that the drivers print of a URL.
const told = 300

// written lists the captures of a WARC from its own header fields.
func written(t *testing.T, file string, kinds []string, digest func(warc.Digest) string) (all []peers.Capture) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r := warc.NewReader(f)
	for {
		rec, err := r.Next()
		if err != nil {
			return all
		}
		if !slices.Contains(kinds, rec.Type()) {
			continue
		}
		at, err := rec.Date()
		if err != nil {
			t.Fatal(err)
		}
		d, err := warc.ParseDigest(rec.Get(warc.FieldPayloadDigest))
		if err != nil {
			t.Fatal(err)
		}
		c := peers.Capture{URL: rec.TargetURI()[:min(len(rec.TargetURI()), told)],
			Timestamp: at.Format("20060102150405"), Status: "200", Digest: digest(d)}
		if rec.Type() == warc.TypeResponse {
			head := make([]byte, 12)
			if _, err := rec.Read(head); err != nil {
				t.Fatal(err)
			}
			c.Status = string(head[9:12])
		}
		all = append(all, c)
	}
}
