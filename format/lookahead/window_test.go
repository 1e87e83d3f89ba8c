package lookahead

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

// text is longer than several windows, and all its places differ.
func text() []byte {
	b := make([]byte, 5*Size+7)
	for i := range b {
		b[i] = byte(i>>8 ^ i*7)
	}
	return b
}

func TestAllBytesAreSeenAtTheirOffset(t *testing.T) {
	want := text()
	readers := map[string]func() io.Reader{
		"whole":       func() io.Reader { return bytes.NewReader(want) },
		"a byte each": func() io.Reader { return iotest.OneByteReader(bytes.NewReader(want)) },
		"half reads":  func() io.Reader { return iotest.HalfReader(bytes.NewReader(want)) },
		"end reported with the last bytes": func() io.Reader {
			return iotest.DataErrReader(bytes.NewReader(want))
		},
	}
	for name, open := range readers {
		var w Window
		w.Reset(open(), 1000)
		for i := 0; i < len(want); {
			if w.Offset() != int64(1000+i) {
				t.Fatalf("%s: offset %d at byte %d", name, w.Offset(), i)
			}
			far := min(Far-1, len(want)-1-i)
			if got := w.At(far); got != int(want[i+far]) {
				t.Fatalf("%s: byte %d looks like %d, and is %d", name, i+far, got, want[i+far])
			}
			n := min(len(w.Rest()), 1+i%977)
			if !bytes.Equal(w.Rest()[:n], want[i:i+n]) {
				t.Fatalf("%s: other bytes at %d", name, i)
			}
			w.Skip(n)
			i += n
		}
		if w.At(0) != -1 || len(w.Rest()) != 0 || w.Err() != nil {
			t.Errorf("%s: the end is not the end: %d, %v", name, w.At(0), w.Err())
		}
	}
}

func TestErrorsOfTheStreamAreKept(t *testing.T) {
	broken := errors.New("the disk is gone")
	var w Window
	w.Reset(io.MultiReader(bytes.NewReader([]byte("ab")), iotest.ErrReader(broken)), 0)
	if w.At(1) != 'b' || w.At(2) != -1 || !errors.Is(w.Err(), broken) {
		t.Errorf("%d, %v", w.At(1), w.Err())
	}
	w.Reset(silent{}, 0)
	if w.At(0) != -1 || !errors.Is(w.Err(), io.ErrNoProgress) {
		t.Errorf("a reader that returns no bytes: %v", w.Err())
	}
	w.Reset(bytes.NewReader([]byte("x")), 5)
	if w.At(0) != 'x' || w.Offset() != 5 || w.Err() != nil {
		t.Error("Reset left something of before")
	}
}

type silent struct{}

func (silent) Read([]byte) (int, error) { return 0, nil }
