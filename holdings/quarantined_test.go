package holdings_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/model"
)

// TestQuarantined: only curators can export infected content, wrapped, and with an event.
func TestQuarantined(t *testing.T) {
	r := holdingstest.New(t)
	virus := "a virus: " + holdingstest.EICAR()
	r.Ingest(holdingstest.Package{ID: "site", Rights: "access: open", Scan: true, Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", date1, "text/html", "<p>one") +
			holdingstest.Response("2", "http://a.example/virus", date1, "text/plain", virus),
	}})
	h := r.Open(holdings.Options{})
	ctx := context.Background()
	infected := r.Find(h, public, "http://a.example/virus")[0]
	var out bytes.Buffer
	for _, who := range []holdings.Reader{public, onsite, {Class: holdings.Staff, Packages: []string{"other"}}} {
		if err := h.Quarantined(ctx, who, infected.Capture, &out); !errors.As(err, new(*holdings.DeniedError)) ||
			out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", who.Class, err, out.Len())
		}
	}
	if err := h.Quarantined(ctx, staff, r.Find(h, public, "http://a.example/")[0].Capture, &out); !errors.Is(err,
		holdings.ErrNotInfected) || out.Len() > 0 {
		t.Errorf("a clean one: %v", err)
	}
	if err := h.Quarantined(ctx, holdings.Reader{Class: holdings.Staff, Name: "Ada"}, infected.Capture,
		&out); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(out.Bytes(), []byte("EICAR")) || bytes.Contains(out.Bytes(), []byte("a virus")) {
		t.Error("the bytes are not wrapped")
	}
	z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(z.File) != 2 || z.File[1].Flags&1 == 0 {
		t.Fatalf("%v, %+v", err, z)
	}
	about, err := z.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(about); err != nil ||
		!strings.Contains(string(text), `"url": "http://a.example/virus"`) {
		t.Errorf("%s, %v", text, err)
	}
	unzipped(t, out.Bytes(), virus)

	history, err := r.Store.History(ctx, "site")
	if err != nil {
		t.Fatal(err)
	}
	last := history.Events[len(history.Events)-1]
	for _, e := range history.Events {
		if e.Type == string(model.Dissemination) {
			last = e
		}
	}
	if last.Type != string(model.Dissemination) || !strings.Contains(last.Detail, "http://a.example/virus") {
		t.Errorf("the last event is %+v", last)
	}
}

// unzipped reads the ZIP file with Python, an independent implementation.
func unzipped(t *testing.T, file []byte, want string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("no Python here: whether others can read the file was not tested")
		return
	}
	name := filepath.Join(t.TempDir(), "x.zip")
	if err := os.WriteFile(name, file, 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command(python, "-c",
		"import sys,zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read('payload.bin', "+
			"pwd=b'infected'))", name).CombinedOutput()
	if err != nil || string(got) != want {
		t.Errorf("%v: %q, want %q", err, got, want)
	}
}
