package zstdframe

import (
	"bytes"
	"errors"
	"io"
	"math/rand"
	"testing"

	"github.com/klauspost/compress/zstd"

	"quire/format/fault"
)

// noise returns incompressible content, which is stored unchanged.
func noise(n int) []byte {
	b := make([]byte, n)
	rand.New(rand.NewSource(1)).Read(b) //nolint:gosec // the same bytes every time
	return b
}

// TestContentIsNoFrame checks that the content of a damaged frame does not count as frames of the
// file.
func TestContentIsNoFrame(t *testing.T) {
	inner := append(frame(t, "inner one", nil), frame(t, "inner two", nil)...)
	outer := bytes.Join([][]byte{noise(5000), inner, noise(300_000)}, nil)
	a, b := frame(t, string(outer), nil, zstd.WithEncoderCRC(true)), frame(t, "last", nil)
	flipped := bytes.Clone(a)
	flipped[2000] ^= 1
	for name, file := range map[string][]byte{
		"a bit flipped": append(flipped, b...),
		"cut off":       a[:len(a)-3],
	} {
		frames, faults := readAll(t, file)
		for _, f := range frames[1:] {
			if f.content != "last" {
				t.Errorf("%s: %q is read as a frame of the file; faults %v", name, f.content, faults)
			}
		}
		if len(faults) != 1 {
			t.Errorf("%s: faults %v", name, faults)
		}
	}
}

// TestErrorsOfTheFileAreNeverFaults checks that the reader never reports a read error as an error
// of the content, wherever the read error occurs.
func TestErrorsOfTheFileAreNeverFaults(t *testing.T) {
	bad := errors.New("disk gone")
	dict := dictionary(t)
	file := bytes.Join([][]byte{skippable(magicDictionary, dict[:600]), frame(t, "first", nil),
		skippable(magicSkippable, []byte("x")), frame(t, "second", nil)}, nil)
	for at := range file {
		var told []string
		err := readOn(io.MultiReader(bytes.NewReader(file[:at]), failing{bad}), &told)
		if !errors.Is(err, bad) {
			t.Errorf("after %d bytes: %v, faults %v", at, err, told)
		}
		for _, f := range told {
			// Half a dictionary is unusable.
			if at < 608 || f[:len(FaultDictionary)] != string(FaultDictionary) {
				t.Errorf("after %d bytes the content is blamed: %s", at, f)
			}
		}
	}
}

// readOn reads every frame until an error that does not come from the content.
func readOn(file io.Reader, told *[]string) error {
	r := NewReader(file, Options{Report: func(f fault.Fault) { *told = append(*told, f.String()) }})
	defer func() { _ = r.Close() }()
	for {
		_, err := r.Next()
		if err == nil {
			_, err = io.Copy(io.Discard, struct{ io.Reader }{r})
		}
		var d *Damage
		if errors.As(err, &d) {
			err = r.Resume()
		}
		if err != nil {
			return err
		}
	}
}
