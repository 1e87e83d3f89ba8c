package gzipmember_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"quire/format/gzipmember"
)

// mixed returns content with text, noise and repetitions, so that an encoder makes blocks of all kinds.
func mixed(size int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < size {
		switch random.IntN(3) {
		case 0:
			for range 3000 {
				fmt.Fprintf(&b, "%d words; ", random.IntN(500))
			}
		case 1:
			noise := make([]byte, 70_000)
			for i := range noise {
				noise[i] = byte(random.Uint32())
			}
			b.Write(noise)
		default:
			b.WriteString(strings.Repeat("again and again ", 8000))
		}
	}
	return b.String()[:size]
}

// boundaries reads a member to its end, and returns the boundaries, and the content.
func boundaries(t *testing.T, file []byte) (all []gzipmember.Boundary, content []byte) {
	t.Helper()
	r := gzipmember.NewReader(bytes.NewReader(file), gzipmember.Options{})
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	buf, at := make([]byte, gzipmember.Window+10_000), 0
	for {
		if at == len(buf) {
			at = copy(buf, buf[len(buf)-gzipmember.Window:])
		}
		n, err := r.ReadInto(buf, at)
		content = append(content, buf[at:at+n]...)
		at += n
		if b, ok := r.Boundary(); ok {
			all = append(all, b)
		}
		if errors.Is(err, io.EOF) {
			return all, content
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestEnter: from each boundary the rest of the member comes, with any encoder and place of the member.
func TestEnter(t *testing.T) {
	t.Parallel()
	want := mixed(900_000)
	for level := range 10 {
		var out bytes.Buffer
		out.WriteString(strings.Repeat("\x00", level)) // it is no multiple of anything
		w, err := gzip.NewWriterLevel(&out, level)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, want); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		file := out.Bytes()
		all, content := boundaries(t, file)
		if string(content) != want || len(all) < 5 {
			t.Fatalf("level %d: %d bytes, %d boundaries", level, len(content), len(all))
		}
		odd := 0
		for _, b := range all {
			if b.Bits%8 != 0 {
				odd++
			}
			window := content[max(0, b.Inflated-gzipmember.Window):b.Inflated]
			e, err := gzipmember.Enter(bytes.NewReader(file[b.Bits/8:]), b, window)
			if err != nil {
				t.Fatal(err)
			}
			if rest, err := io.ReadAll(e); err != nil || string(rest) != want[b.Inflated:] {
				t.Fatalf("level %d, from %d: %d bytes, %v, or others", level, b.Inflated, len(rest), err)
			}
			if b.Bits/8 > int64(len(file)-40) {
				continue
			}
			cut := bytes.NewReader(file[b.Bits/8 : len(file)-20])
			if e, err = gzipmember.Enter(cut, b, window); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(e); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("level %d, cut off: %v", level, err)
			}
		}
		if level > 0 && odd == 0 {
			t.Errorf("level %d: no boundary within a byte", level)
		}
	}
}

// FuzzEnter: entering anywhere ends, in an error or with bytes, in bounded time.
func FuzzEnter(f *testing.F) {
	f.Add([]byte{0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00}, int64(0), []byte("window"))
	f.Fuzz(func(t *testing.T, data []byte, bits int64, window []byte) {
		b := gzipmember.Boundary{Bits: max(0, bits)}
		e, err := gzipmember.Enter(bytes.NewReader(data), b, window)
		if err != nil {
			return
		}
		n, _ := io.Copy(io.Discard, e) // any error may end damaged data
		if n > 1100*int64(len(data)+1) {
			t.Fatalf("%d bytes of %d", n, len(data))
		}
	})
}
