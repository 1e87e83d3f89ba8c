package nas

import (
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/archivefs"
	"quire/source"
)

func FuzzURL(f *testing.F) {
	for _, r := range standard() {
		f.Add(r.url)
	}
	f.Add("metadata://a/crawl/logs/%2e%2e/..\\x\x00?jobid=%zz&&=&a")
	f.Fuzz(func(t *testing.T, s string) {
		u, ok := parseURL(s)
		if !ok {
			return
		}
		p := u.path()
		if p != path.Clean(p) || strings.HasPrefix(p, "/") || strings.HasPrefix(p, "..") || strings.Count(p, "/") > 2 ||
			len(p) > 2*maxName+40 {
			t.Errorf("%q becomes the path %q", s, p)
		}
		if u.role() == "" {
			t.Errorf("%q has no role", s)
		}
	})
}

func FuzzHarvestInfo(f *testing.F) {
	f.Add(infoXML)
	f.Add(`<harvestInfo xmlns="x"><a><b/>c</a>d<!-- e --></harvestInfo>`)
	f.Fuzz(func(t *testing.T, s string) {
		fields, err := parseInfo(strings.NewReader(s))
		if err == nil && (len(fields) > maxInfoFields || !strings.Contains(s, "harvestInfo")) {
			t.Errorf("%q results in %d fields", s, len(fields))
		}
	})
}

func FuzzMigration(f *testing.F) {
	f.Add(migrations)
	f.Fuzz(func(t *testing.T, s string) {
		err := eachLine(t.Context(), strings.NewReader(s), func(line string) bool {
			if strings.Contains(line, "\n") || len(line) > maxMovedLine {
				t.Errorf("line %q", line)
			}
			if name, m, ok := parseMoved(line); ok && (name == "" || m.from < 0 || m.to < 0) {
				t.Errorf("%q is %q, %+v", line, name, m)
			}
			return true
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// FuzzMetadataFile checks that a metadata file of any bytes causes no panic, and that its listed
// documents can be opened.
func FuzzMetadataFile(f *testing.F) {
	f.Add([]byte(plain(arcOf("7-metadata-1.arc", standard()))))
	f.Add([]byte(plain(warcOf("7-metadata-1.warc", "7", standard()))))
	f.Add([]byte(packed(warcOf("7-metadata-1.warc", "7", standard()[:5])...)))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, b []byte) {
		p := filepath.Join(dir, "7-metadata-1.warc")
		if err := os.WriteFile(p, b, 0o600); err != nil {
			t.Fatal(err)
		}
		tr, err := archivefs.Single(p)
		if err != nil {
			t.Fatal(err)
		}
		h := only(t, tr)
		files := h.About().Files
		for i := range files {
			c, err := source.OpenFile(tr, h, &files[i])
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, c); err != nil || n != files[i].Size {
				t.Errorf("%s has %d bytes, %d were read, %v", files[i].Path, files[i].Size, n, err)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
		for _, err := range h.Fetches(t.Context(), nil) {
			if err != nil {
				t.Error(err)
			}
		}
	})
}
