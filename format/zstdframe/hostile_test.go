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

// noise is content that no encoder can make smaller: it is stored as it is.
func noise(n int) []byte {
	b := make([]byte, n)
	rand.New(rand.NewSource(1)).Read(b) //nolint:gosec // the same bytes every time
	return b
}

// What a damaged frame holds is not taken for frames of the file.
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

// An error of the machine is never taken for one of the content, wherever it comes.
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
			// half a dictionary is one that cannot be used
			if at < 608 || f[:len(FaultDictionary)] != string(FaultDictionary) {
				t.Errorf("after %d bytes the content is blamed: %s", at, f)
			}
		}
	}
}

// readOn reads every frame until an error that is none of the content.
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
