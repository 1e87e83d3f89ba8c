//go:build interop

package migrate

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/format/warc"
	"quire/interop/internal/peers"
	"quire/model"
	"quire/preserve/migrate"
	"quire/preserve/pack"
)

// made has Pillow and Python make old images and pages, and packs them as a crawler's captures.
func made(t *testing.T) (pkg string, files int) {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, "site")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(dir, "site.warc.gz")
	var b bytes.Buffer
	w, err := warc.NewWriter(&b, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(peers.Python(t, "make.py", []string{folder})) {
		name, media, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("invalid line from the driver: %q", line)
		}
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		files++
		block := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", media,
			len(content), content)
		if _, _, err := w.WriteBytes([]warc.NameValue{
			{Name: warc.FieldType, Value: warc.TypeResponse},
			{Name: warc.FieldTargetURI, Value: "http://example.org/" + name},
			{Name: warc.FieldDate, Value: "1997-01-01T00:00:00Z"},
			{Name: warc.FieldRecordID, Value: fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", files)},
			{Name: warc.FieldContentType, Value: "application/http;msgtype=response"},
		}, block); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(source, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	pkg = filepath.Join(dir, "package")
	if _, err := pack.Pack(context.Background(), []string{source},
		pack.Options{Out: pkg, Agent: model.Agent{Name: "Quire", Version: "interop"}}); err != nil {
		t.Fatal(err)
	}
	return pkg, files
}

// TestConversions migrates everything, compares each conversion with its source, and validates the
// containers.
func TestConversions(t *testing.T) {
	pkg, files := made(t)
	for _, name := range []string{"gif-to-png", "xbm-to-png", "html-to-utf8", "imagemagick"} {
		rule, err := migrate.ReadRule(filepath.Join("..", "..", "examples", "migrate", name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "new")
		r, err := migrate.Run(context.Background(), pkg,
			migrate.Options{Rule: rule, Out: out, Agent: model.Agent{Name: "Quire", Version: "interop"}})
		if err != nil || r.Failed > 0 || r.Converted == 0 {
			t.Fatalf("%s: %+v, %v", name, r, err)
		}
		pkg = out
	}
	containers, err := filepath.Glob(filepath.Join(pkg, "containers", "*.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for line := range strings.Lines(peers.Python(t, "compare.py", containers)) {
		compared++
		if _, said, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); said != "same" {
			t.Error(line)
		}
	}
	if compared != files {
		t.Errorf("%d of %d were compared", compared, files)
	}
	t.Logf("%d conversions in %d containers were compared by Pillow and Python", compared, len(containers)-1)
	for _, peer := range peers.Peers {
		if peer.Name == "jhove" { // its WARC module is JWAT
			continue
		}
		for file, v := range peer.Ask(t, containers) {
			t.Logf("%s: %s is %s %s", peer.Name, filepath.Base(file), v.Word, v.Reason)
			if v.Word != peers.Valid {
				t.Errorf("%s: %s is %s: %s", peer.Name, filepath.Base(file), v.Word, v.Reason)
			}
		}
	}
}
