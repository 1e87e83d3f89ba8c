package arc

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWriterOfZeroOptions checks that Create needs no options, and that a bad option is refused
// before a record is made.
func TestWriterOfZeroOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.arc.gz")
	w, err := Create(path, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteRecord(headerOf(urlA, -1), strings.NewReader("hello")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := readAll(t, bytes.NewReader(file))
	if len(got.records) != 2 || len(got.faults) != 0 || got.records[0].Version.Name != "a.arc.gz" {
		t.Fatalf("%d records, %v", len(got.records), got.faults)
	}
	if made, _ := got.records[0].Time(); time.Since(made).Abs() > 24*time.Hour {
		t.Errorf("dated %v", made)
	}
	bad := filepath.Join(t.TempDir(), "bad.arc")
	if _, err := Create(bad, WriterOptions{Origin: "a\nb"}); err == nil || !strings.Contains(err.Error(), "origin") {
		t.Errorf("a bad option: %v", err)
	}
	if left, _ := filepath.Glob(bad + "*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if _, err := NewWriter(io.Discard, WriterOptions{}); err == nil {
		t.Error("no name")
	}
}

// TestWriterRefusesFaults checks that the writer writes nothing that its reader reports.
func TestWriterRefusesFaults(t *testing.T) {
	typed, second := headerOf(urlA, 5), headerOf("filedesc://b.arc", 5)
	typed.ContentType = "text/plain; charset=x"
	for want, h := range map[string]Header{"content type": typed, "version block": second} {
		var file bytes.Buffer
		w := newTestWriter(t, &file, WriterOptions{Name: "a.arc"})
		err := w.WriteRecord(h, strings.NewReader("hello"))
		if err == nil || !strings.Contains(err.Error(), want) || file.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", want, err, file.Len())
		}
	}
}

// TestAtWithinURL checks that no record begins within the line of another.
func TestAtWithinURL(t *testing.T) {
	file := "filedesc://a.arc 0.0.0.0 20251101100000 text/plain 66\n1 0 Quire\n" + definition1 + "\n\n"
	start := int64(len(file))
	file += "http://cctr.example/ 192.0.2.1 20251101100001 text/html 5\nhello\n"
	r := NewReader(strings.NewReader(file))
	for _, wrong := range []int64{start + 1, start + 7, -1} {
		if rec, err := r.At(wrong); !errors.Is(err, ErrNoRecord) {
			t.Errorf("at %d: %+v, %v", wrong, rec, err)
		}
	}
	for _, right := range []int64{0, start} {
		if rec, err := r.At(right); err != nil || rec.Offset != right {
			t.Errorf("at %d: %v", right, err)
		}
	}
}

// A closed Reader reads nothing more.
func TestReadAfterClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.arc")
	made(t, path, Gzip, 3)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
	if _, err := r.Next(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Next: %v", err)
	}
	if _, err := r.At(0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("At: %v", err)
	}
}
