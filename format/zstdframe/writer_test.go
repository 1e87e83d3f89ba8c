package zstdframe

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// Frames are read back one by one, at the places that the Writer states.
func TestWriter(t *testing.T) {
	for _, level := range []int{1, DefaultLevel, 22} {
		var file bytes.Buffer
		w, err := NewWriter(&file, level)
		if err != nil {
			t.Fatal(err)
		}
		type place struct{ offset, length int64 }
		var places []place
		contents := []string{"one", strings.Repeat("two", 100_000), ""}
		for _, c := range contents {
			if err := w.Begin(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(w, c); err != nil {
				t.Fatal(err)
			}
			offset, length, err := w.End()
			if err != nil || w.Offset() != offset+length {
				t.Fatal(err)
			}
			places = append(places, place{offset, length})
		}
		r := NewReader(&file, Options{})
		for i, want := range contents {
			f, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil || string(got) != want || f.Offset != places[i].offset || f.Length != places[i].length {
				t.Errorf("level %d: %.20q at %+v, %v", level, got, f, err)
			}
		}
	}
}

// Calls in the wrong order, and outputs that fail, are errors for good.
func TestWriterErrors(t *testing.T) {
	for _, level := range []int{0, 23} {
		if _, err := NewWriter(io.Discard, level); err == nil {
			t.Errorf("level %d", level)
		}
	}
	for name, misuse := range map[string]func(*Writer) error{
		"begun twice":    func(w *Writer) error { return errors.Join(w.Begin(), w.Begin()) },
		"not begun":      func(w *Writer) error { _, err := w.Write([]byte("x")); return err },
		"ended too soon": func(w *Writer) error { _, _, err := w.End(); return err },
	} {
		w, err := NewWriter(io.Discard, DefaultLevel)
		if err != nil {
			t.Fatal(err)
		}
		if misuse(w) == nil || w.Begin() == nil {
			t.Errorf("%s: no error, or one that is forgotten", name)
		}
	}
}
