package gzipmember

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand"
	"strings"
	"testing"

	"quire/format/fault"
)

// work is a file that counts the bytes read from it, including bytes read again.
type work struct {
	*bytes.Reader
	read int64
}

func (w *work) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.read += int64(n)
	return n, err
}

// header is ten bytes that begin a member.
var header = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

// stored returns a deflate block, not the last, that stores content uncompressed.
func stored(content []byte) []byte {
	b := binary.LittleEndian.AppendUint16([]byte{0}, uint16(len(content)))
	b = binary.LittleEndian.AppendUint16(b, ^uint16(len(content)))
	return append(b, content...)
}

// TestFalseMembersCostBoundedWork checks a file of false beginnings, each within the one before.
// The file's size and the allowance for going back must bound the work.
func TestFalseMembersCostBoundedWork(t *testing.T) {
	if testing.Short() {
		t.Skip("makes one call after the other: run it without -short")
	}
	chain := bytes.Repeat(append(bytes.Clone(header), stored(header)[:5]...), 100_000)
	flood := bytes.Repeat(append(bytes.Clone(header), stored([]byte("x"))...), 60_000)
	for name, file := range map[string][]byte{"one after the other": flood, "one in the other": chain} {
		source := &work{Reader: bytes.NewReader(file)}
		readAll(t, source)
		if allowed := 3*int64(len(file)) + 128<<20; source.read > allowed {
			t.Errorf("%s: %d bytes were read of %d", name, source.read, len(file))
		}
	}
}

// TestLostHeadersCostBoundedWork checks a file of damaged headers whose data leads over all that
// follows, to a long tail of empty blocks that ends badly. Only reading the tail costs work: it
// inflates to nothing.
func TestLostHeadersCostBoundedWork(t *testing.T) {
	t.Parallel()
	tail := append(bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, 200_000), 7)
	for name, head := range map[string][]byte{
		"another method": {0x1f, 0x8b, 7, 0, 0, 0, 0, 0, 0, 255},
		"a name":         {0x1f, 0x8b, 8, flagName, 0, 0, 0, 0, 0, 255},
	} {
		good := write(t, "a member between the units")
		good = append(good, write(t, strings.Repeat("x", 200))...)
		over := stored(append(good, head...)) // to the block of the next unit
		unit := append(bytes.Clone(head), over[:len(over)-len(head)]...)
		const units = 100
		file := append(bytes.Repeat(unit, units), tail...)
		source := &work{Reader: bytes.NewReader(file)}
		r := NewReader(source, Options{})
		const left = 8 << 20
		r.lostWork = lostHeaderWork - left
		members := 0
		for {
			_, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil {
				_, err = io.Copy(io.Discard, struct{ io.Reader }{r})
				members++
			}
			var d *Damage
			if errors.As(err, &d) {
				err = r.Resume()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		// The last try may exceed the bound, and the search reads the file again.
		if allowed := left + 8*int64(len(file)); source.read > allowed {
			t.Errorf("%s: %d bytes were read of %d", name, source.read, len(file))
		}
		if r.lostWork < lostHeaderWork || members < 2*units {
			t.Errorf("%s: %d members, work %d", name, members, r.lostWork)
		}
	}
}

// TestContentIsNoMember checks a container within a container: if the outer one is cut, its content
// does not count as members.
func TestContentIsNoMember(t *testing.T) {
	noise := make([]byte, 20_000)
	rand.New(rand.NewSource(1)).Read(noise) //nolint:gosec // the same bytes every time
	inner := bytes.Join([][]byte{write(t, "inner one"), write(t, string(noise)), write(t, "inner two")}, nil)
	outer := append([]byte("a record that holds a container: "), inner...)
	member := append(append(bytes.Clone(header), stored(outer)...), 1, 0, 0, 0xff, 0xff)
	file := append(write(t, "first"), member...) // the trailer is cut off
	members, faults, _ := readAll(t, bytes.NewReader(file))
	if len(members) != 2 || members[1].content != string(outer) {
		t.Errorf("%d members, faults %v", len(members), faults)
	}
}

// TestErrorsOfTheFileAreNeverFaults checks that the reader never reports a read error as an error
// of the content, wherever the read error occurs.
func TestErrorsOfTheFileAreNeverFaults(t *testing.T) {
	bad := errors.New("disk gone")
	file := append(write(t, "first"), with(write(t, strings.Repeat("second ", 50)), flagName, 'n', 0)...)
	for at := range file {
		var told []string
		err := readOn(io.MultiReader(bytes.NewReader(file[:at]), failing{bad}), &told)
		if !errors.Is(err, bad) || told != nil {
			t.Errorf("after %d bytes: %v, faults %v", at, err, told)
		}
	}
}

// readOn reads every member until an error that does not come from the content.
func readOn(file io.Reader, told *[]string) error {
	r := NewReader(file, Options{Report: func(f fault.Fault) { *told = append(*told, f.String()) }})
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
