package inflate

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// dictionary is the dictionary with which the members of the third file are compressed.
var dictionary = []byte(strings.Repeat("member after member of some content ", 40))

// members is a file of n members, with the offset of each.
func members(t *testing.T, kind string, n int) (file []byte, offsets []int64) {
	t.Helper()
	var b bytes.Buffer
	var encoder *zstd.Encoder
	switch kind {
	case "zstd":
		encoder, _ = zstd.NewWriter(nil)
	case "dictionary":
		encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderDictRaw(0, dictionary))
		b.Write(binary.LittleEndian.AppendUint32([]byte{0x5d, 0x2a, 0x4d, 0x18}, uint32(len(dictionary))))
		b.Write(dictionary)
	}
	for i := range n {
		offsets = append(offsets, int64(b.Len()))
		content := []byte(content(i))
		switch kind {
		case "plain":
			b.Write(content)
		case "gzip":
			w := gzip.NewWriter(&b)
			if _, err := w.Write(content); err != nil || w.Close() != nil {
				t.Fatal(err)
			}
		default:
			b.Write(encoder.EncodeAll(content, nil))
		}
	}
	return b.Bytes(), offsets
}

func content(i int) string {
	return strings.Repeat(fmt.Sprintf("member %d of some content ", i), 100*(i%9)+1)
}

// TestGoTo checks that GoTo reaches each member from any position, and that the member and the data
// after it are then read.
func TestGoTo(t *testing.T) {
	if testing.Short() {
		t.Skip("makes one call after the other: run it without -short")
	}
	random := rand.New(rand.NewSource(1)) //nolint:gosec // the same places every time
	for _, kind := range []string{"plain", "gzip", "zstd", "dictionary"} {
		for _, ahead := range []bool{false, true} {
			t.Run(fmt.Sprint(kind, ahead), func(t *testing.T) {
				if ahead {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
				}
				const n = 200
				file, offsets := members(t, kind, n)
				r := NewReader(bytes.NewReader(file), Options{Ahead: ahead})
				for range 60 {
					i := random.Intn(n)
					if err := r.GoTo(offsets[i]); err != nil {
						t.Fatal(err)
					}
					at, err := r.Position()
					if err != nil || at.File != offsets[i] || at.Within != 0 {
						t.Fatalf("member %d is at %+v, %v", i, at, err)
					}
					for ; i < min(n, i+1+random.Intn(30)); i++ {
						want := content(i)
						got := make([]byte, len(want))
						if _, err := io.ReadFull(r, got); err != nil || string(got) != want {
							t.Fatalf("member %d: %.60q, %v", i, got, err)
						}
					}
				}
				if err := r.GoTo(int64(len(file))); err != nil {
					t.Fatal(err)
				}
				if _, err := r.Position(); !errors.Is(err, io.EOF) {
					t.Errorf("at the end: %v", err)
				}
				if err := r.GoTo(-1); err == nil {
					t.Error("there is no byte -1")
				}
				if err := r.Close(); err != nil || !errors.Is(r.GoTo(0), errClosed) {
					t.Errorf("closed: %v", err)
				}
			})
		}
	}
	r := NewReader(io.MultiReader(strings.NewReader("x")), Options{})
	if err := r.GoTo(0); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a pipe: %v", err)
	}
}
