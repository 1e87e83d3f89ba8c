package zstdframe

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"quire/format/fault"
)

// frame returns content as one frame, with a dictionary if given.
func frame(t testing.TB, content string, dictionary []byte, o ...zstd.EOption) []byte {
	t.Helper()
	o = append(o, zstd.WithEncoderConcurrency(1))
	if dictionary != nil {
		o = append(o, zstd.WithEncoderDict(dictionary))
	}
	w, err := zstd.NewWriter(nil, o...)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(content), nil)
}

func skippable(magic uint32, content []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, magic)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(content)))
	return append(b, content...)
}

type seen struct {
	offset, length int64
	content        string
}

func readAll(t testing.TB, file []byte) (frames []seen, faults []string) {
	t.Helper()
	r := NewReader(bytes.NewReader(file),
		Options{Report: func(f fault.Fault) { faults = append(faults, fmt.Sprintf("%s@%d", f.Code, f.Offset)) }})
	defer func() { _ = r.Close() }()
	for {
		f, err := r.Next()
		if errors.Is(err, io.EOF) {
			return frames, faults
		}
		if err == nil {
			var content []byte
			content, err = io.ReadAll(io.LimitReader(r, 1<<24))
			frames = append(frames, seen{f.Offset, f.Length, string(content)})
		}
		var d *Damage
		if errors.As(err, &d) {
			if err := r.Resume(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// dictionary returns a dictionary trained on samples that look like records.
func dictionary(t testing.TB) []byte {
	t.Helper()
	var samples [][]byte
	var history []byte
	for i := range 200 {
		s := []byte(fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/%d\r\n"+
			"Content-Length: %d\r\n\r\n", i, i*7))
		samples = append(samples, s)
		if len(history) < 2000 {
			history = append(history, s...)
		}
	}
	d, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 7, Contents: samples, History: history,
		Offsets: [3]int{1, 4, 8}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestReader(t *testing.T) {
	a, b := frame(t, "first", nil), frame(t, strings.Repeat("second ", 9000), nil)
	long := strings.Repeat("second ", 9000)
	la, lb := int64(len(a)), int64(len(b))
	dict := dictionary(t)
	with := frame(t, "WARC/1.0\r\nWARC-Type: response\r\n", dict)
	plainDict, packedDict := skippable(magicDictionary, dict), skippable(magicDictionary, frame(t, string(dict), nil))
	other := skippable(magicSkippable, []byte("anything"))
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, c := range []struct {
		name   string
		file   []byte
		want   []seen
		faults string
	}{
		{"two frames", join(a, b), []seen{{0, la, "first"}, {la, lb, long}}, ""},
		{"no checksum", frame(t, "x", nil, zstd.WithEncoderCRC(false)),
			[]seen{{0, int64(len(frame(t, "x", nil, zstd.WithEncoderCRC(false)))), "x"}}, ""},
		{"a skippable frame between", join(a, other, b), []seen{{0, la, "first"}, {la + 16, lb, long}}, ""},
		{"a dictionary", join(plainDict, with),
			[]seen{{int64(len(plainDict)), int64(len(with)), "WARC/1.0\r\nWARC-Type: response\r\n"}}, ""},
		{"a compressed dictionary", join(packedDict, with),
			[]seen{{int64(len(packedDict)), int64(len(with)), "WARC/1.0\r\nWARC-Type: response\r\n"}}, ""},
		{"a frame without dictionary beside it", join(plainDict, a), []seen{{int64(len(plainDict)), la, "first"}}, ""},
		{"a dictionary that cannot be inflated", join(skippable(magicDictionary, a[:len(a)-2]), a),
			[]seen{{8 + la - 2, la, "first"}}, "ZSTD-DICTIONARY@0"},
		{"garbage", join(a, []byte("xyz"), b), []seen{{0, la, "first"}, {la + 3, lb, long}},
			fmt.Sprintf("ZSTD-GARBAGE@%d", la)},
		{"cut in a frame header", join(a, b[:5]), []seen{{0, la, "first"}}, fmt.Sprintf("ZSTD-TRUNCATED@%d", la)},
		{"cut in a skippable frame", join(a, other[:12]), []seen{{0, la, "first"}},
			fmt.Sprintf("ZSTD-TRUNCATED@%d", la)},
		{"nothing", nil, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			frames, faults := readAll(t, c.file)
			if fmt.Sprint(frames) != fmt.Sprint(c.want) {
				t.Errorf("frames %.300v, want %.300v", frames, c.want)
			}
			if got := strings.Join(faults, " "); got != c.faults {
				t.Errorf("faults %q, want %q", got, c.faults)
			}
		})
	}
}

func TestDamagedFramesAreTold(t *testing.T) {
	a, b := frame(t, strings.Repeat("first ", 500), nil), frame(t, "second", nil)
	for at := 6; at < len(a); at++ {
		damaged := append(bytes.Clone(a), b...)
		damaged[at] ^= 0x24
		frames, faults := readAll(t, damaged)
		if len(faults) == 0 && frames[0].content == strings.Repeat("first ", 500) {
			continue // a bit without meaning
		}
		if len(faults) == 0 {
			t.Errorf("damage at %d changed the content but is not reported", at)
		}
		if last := frames[len(frames)-1]; last.content != "second" {
			t.Errorf("damage at %d: the next frame is not found", at)
		}
	}
}

// TestWindowIsBounded checks that a small frame cannot demand a window of gigabytes.
func TestWindowIsBounded(t *testing.T) {
	hostile := []byte{0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xF8, 0x01, 0x00, 0x00} // window descriptor F8: 2^41 bytes
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, faults := readAll(t, hostile)
	runtime.ReadMemStats(&after)
	if fmt.Sprint(faults) != "[ZSTD-FRAME@0]" {
		t.Errorf("faults %v", faults)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > maxWindow {
		t.Errorf("%d bytes were allocated", grown)
	}
}

func TestErrorsOfTheFileAreErrors(t *testing.T) {
	bad := errors.New("disk gone")
	r := NewReader(io.MultiReader(bytes.NewReader(frame(t, strings.Repeat("x", 100000), nil,
		zstd.WithEncoderCRC(true))[:15]), failing{bad}), Options{})
	_, err := r.Next()
	if err == nil {
		_, err = io.ReadAll(r)
	}
	if !errors.Is(err, bad) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func FuzzReader(f *testing.F) {
	a, b := frame(f, "first", nil), frame(f, strings.Repeat("second ", 50), nil)
	f.Add(append(bytes.Clone(a), b...))
	f.Add(append(bytes.Clone(a[:len(a)-2]), b...))
	f.Add(append(skippable(magicDictionary, []byte("dictionary")), a...))
	f.Fuzz(func(t *testing.T, file []byte) {
		frames, _ := readAll(t, file)
		last := int64(-1)
		for _, m := range frames {
			if m.offset <= last || m.length > 0 && m.offset+m.length > int64(len(file)) {
				t.Fatalf("a frame at %d, %d bytes, in %d bytes", m.offset, m.length, len(file))
			}
			last = m.offset
		}
	})
}

// TestRestart checks that a frame cut out of a file is read alone, with the dictionary of the file.
func TestRestart(t *testing.T) {
	dictionary := []byte(strings.Repeat("a line that every page has; ", 50))
	raw := func(content string) []byte {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderDictRaw(0, dictionary), zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		return w.EncodeAll([]byte(content), nil)
	}
	second := raw("a line that every page has; second")
	file := bytes.Join([][]byte{skippable(magicDictionary, dictionary), raw("a line that every page has; first"),
		second}, nil)
	r := NewReader(bytes.NewReader(file), Options{})
	defer func() { _ = r.Close() }()
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r.Restart(bytes.NewReader(second))
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != "a line that every page has; second" {
			t.Errorf("%q, %v", got, err)
		}
	}
	alone := NewReader(bytes.NewReader(second), Options{})
	defer func() { _ = alone.Close() }()
	if _, err := alone.Next(); err == nil {
		if got, err := io.ReadAll(alone); err == nil {
			t.Errorf("read without its dictionary as %q", got)
		}
	}
}
