package gzipmember

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"quire/format/fault"
)

// story returns everything observable about a file: members, bytes, ends, offsets, faults. read
// reads a member to its end.
func story(t testing.TB, file io.Reader, read func(*Reader) ([]byte, error)) string {
	t.Helper()
	var s strings.Builder
	r := NewReader(file, Options{Report: func(f fault.Fault) {
		fmt.Fprintf(&s, "fault %s@%d %s\n", f.Code, f.Offset, f.Detail)
	}})
	for {
		m, err := r.Next()
		if errors.Is(err, io.EOF) {
			return s.String()
		}
		if err == nil {
			var content []byte
			content, err = read(r)
			fmt.Fprintf(&s, "member %d+%d of %d, %q, then %d, %v\n", m.Offset, m.Length, m.Inflated, content,
				r.Offset(), err)
		}
		var d *Damage
		if err != nil && !errors.As(err, &d) {
			fmt.Fprintf(&s, "error %v\n", err)
			return s.String()
		}
		if err := r.Resume(); err != nil {
			t.Fatal(err)
		}
	}
}

// readPlainly reads in the ordinary way.
func readPlainly(r *Reader) ([]byte, error) {
	var content bytes.Buffer
	_, err := io.CopyBuffer(&content, struct{ io.Reader }{r}, make([]byte, 1000))
	return content.Bytes(), err
}

// readIntoRoom reads into this much room at a time, after only the required earlier bytes.
func readIntoRoom(room int) func(r *Reader) ([]byte, error) {
	return func(r *Reader) (content []byte, err error) {
		buf := bytes.Repeat([]byte("old "), (Window+room)/4+1)
		for {
			at := Window
			copy(buf[:at], content[max(len(content)-Window, 0):])
			if len(content) < Window {
				at = len(content)
			}
			n, err := r.ReadInto(buf[:at+room], at)
			content = append(content, buf[at:at+n]...)
			if errors.Is(err, io.EOF) {
				return content, nil
			}
			if err != nil {
				return content, err
			}
		}
	}
}

// sameStory compares the ways of reading.
func sameStory(t *testing.T, open func() io.Reader) string {
	t.Helper()
	want := story(t, open(), readPlainly)
	for _, room := range []int{7, 1000, 100 << 10} {
		if got := story(t, open(), readIntoRoom(room)); got != want {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Fatalf("room for %d: the stories differ at %d:\n%.300s\nwant\n%.300s", room, i, got[max(0, i-100):],
				want[max(0, i-100):])
		}
	}
	return want
}

func TestEveryRoomIsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("makes one call after the other: run it without -short")
	}
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300<<10)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var file []byte
	contents := []string{"first", "", strings.Repeat("a page ", 20_000), string(noise[:90<<10]), string(noise),
		strings.Repeat("x", 1<<20), string(noise[:100<<10]), "last"}
	for _, s := range contents {
		file = append(file, write(t, s)...)
	}
	told := sameStory(t, func() io.Reader { return bytes.NewReader(file) })
	for _, s := range contents {
		_, rest, found := strings.Cut(told, fmt.Sprintf(" of %d, %q, then ", len(s), s))
		if !found {
			t.Fatalf("a content of %d bytes is not there, or not in its place", len(s))
		}
		told = rest
	}
	sameStory(t, func() io.Reader { return struct{ io.Reader }{bytes.NewReader(file)} })
	small := bytes.Join([][]byte{write(t, "first"), write(t, strings.Repeat("second ", 90)), write(t, "third")}, nil)
	for i := range small {
		damaged := bytes.Clone(small)
		damaged[i] ^= byte(1 + r.IntN(255))
		sameStory(t, func() io.Reader { return bytes.NewReader(damaged) })
		sameStory(t, func() io.Reader { return bytes.NewReader(small[:i]) })
		sameStory(t, func() io.Reader {
			return io.MultiReader(bytes.NewReader(small[:i]), failing{errors.New("disk gone")})
		})
	}
}

// TestMembersReadHalfArePassedOver checks that Next skips the unread part of a member.
func TestMembersReadHalfArePassedOver(t *testing.T) {
	file := append(write(t, strings.Repeat("first ", 50_000)), write(t, "second")...)
	r := NewReader(bytes.NewReader(file), Options{Report: func(f fault.Fault) { t.Errorf("%v", f) }})
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if n, err := r.Read(make([]byte, 10)); n != 10 || err != nil {
		t.Fatalf("%d bytes, %v", n, err)
	}
	if m, err := r.Next(); err != nil || m.Offset != int64(len(write(t, strings.Repeat("first ", 50_000)))) {
		t.Fatalf("member %+v, %v", m, err)
	}
	if content, err := io.ReadAll(r); err != nil || string(content) != "second" {
		t.Errorf("%q, %v", content, err)
	}
}

func FuzzRead(f *testing.F) {
	a, b := write(f, "first"), write(f, strings.Repeat("second ", 50))
	f.Add(append(bytes.Clone(a), b...))
	f.Add(append(bytes.Clone(b[:len(b)-9]), a...))
	f.Add(append(append(bytes.Clone(a), "junk"...), b...))
	f.Fuzz(func(t *testing.T, file []byte) {
		sameStory(t, func() io.Reader { return bytes.NewReader(file) })
	})
}
