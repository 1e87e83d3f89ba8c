package gzipmember

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"quire/format/fault"
)

// write returns one member.
func write(t testing.TB, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, DefaultLevel)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Begin(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.End(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// with replaces the header of a gzip member by one with the given flags and fields.
func with(member []byte, flags byte, fields ...byte) []byte {
	head := append([]byte{0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3}, fields...)
	return append(head, member[10:]...)
}

type seen struct {
	offset, length int64
	content        string
}

// readAll reads every member and continues after damage.
func readAll(t testing.TB, file io.Reader) (members []seen, faults []string, headers []Header) {
	t.Helper()
	r := NewReader(file, Options{Report: func(f fault.Fault) {
		faults = append(faults, fmt.Sprintf("%s@%d", f.Code, f.Offset))
	}})
	for {
		m, err := r.Next()
		if errors.Is(err, io.EOF) {
			return members, faults, headers
		}
		var content []byte
		if err == nil {
			content, err = io.ReadAll(r)
			members = append(members, seen{m.Offset, m.Length, string(content)})
			headers = append(headers, m.Header)
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

func TestReader(t *testing.T) {
	a, b := write(t, "first"), write(t, strings.Repeat("second ", 50))
	long := strings.Repeat("second ", 50)
	la, lb := int64(len(a)), int64(len(b))
	flip := func(m []byte, at int) []byte {
		m = bytes.Clone(m)
		if at < 0 {
			at += len(m)
		}
		m[at] ^= 0x40
		return m
	}
	named := func(m []byte) []byte { return with(m, flagName) }
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, c := range []struct {
		name   string
		file   []byte
		want   []seen
		faults string
	}{
		{"two members", join(a, b), []seen{{0, la, "first"}, {la, lb, long}}, ""},
		{"wrong CRC32", join(flip(a, -8), b), []seen{{0, la, "first"}, {la, lb, long}}, "GZIP-CRC32@0"},
		{"wrong ISIZE", join(flip(a, -2), b), []seen{{0, la, "first"}, {la, lb, long}}, "GZIP-ISIZE@0"},
		{"reserved flag", join(with(a, 0x80), b), []seen{{0, la, "first"}, {la, lb, long}}, "GZIP-FLAGS@0"},
		{"another method", join(flip(a, 2), b), []seen{{0, la, "first"}, {la, lb, long}}, "GZIP-METHOD@0"},
		{"another method, wrong content", join(flip(flip(a, 2), -8), b), []seen{{la, lb, long}}, "GZIP-METHOD@0"},
		{"the header is lost", join(make([]byte, 10), a[10:], b), []seen{{0, la, "first"}, {la, lb, long}},
			"GZIP-HEADER@0"},
		{"the header of the second is lost", join(a, make([]byte, 10), b[10:], a),
			[]seen{{0, la, "first"}, {la, lb, long}, {la + lb, la, "first"}}, fmt.Sprintf("GZIP-HEADER@%d", la)},
		{"the header of the second is lost, wrong content", join(a, make([]byte, 10), flip(b[10:], -8), a),
			[]seen{{0, la, "first"}, {la + lb, la, "first"}}, fmt.Sprintf("GZIP-GARBAGE@%d", la)},
		{"the first bytes are missing", join(a[4:], b), []seen{{0, la - 4, "first"}, {la - 4, lb, long}},
			"GZIP-HEADER@0"},
		{"a flag of a name that is not there", join(named(a), b), []seen{{0, la, "first"}, {la, lb, long}},
			"GZIP-HEADER@0"},
		{"a lost header with a name", join([]byte{0, 0, 0}, with(a, 8, 'a', 0)[3:], b),
			[]seen{{0, la + 2, "first"}, {la + 2, lb, long}}, "GZIP-HEADER@0"},
		{"garbage between and after", join(a, []byte("xx"), b, []byte("yyy")),
			[]seen{{0, la, "first"}, {la + 2, lb, long}}, fmt.Sprintf("GZIP-GARBAGE@%d GZIP-GARBAGE@%d", la, la+lb+2)},
		{"padding", join(a, make([]byte, 1000)), []seen{{0, la, "first"}}, fmt.Sprintf("GZIP-PADDING@%d", la)},
		{"cut in the header", join(a, b[:7]), []seen{{0, la, "first"}}, fmt.Sprintf("GZIP-TRUNCATED@%d", la)},
		{"cut in the trailer", join(a, b[:lb-3]), []seen{{0, la, "first"}, {la, -1, long}},
			fmt.Sprintf("GZIP-TRUNCATED@%d", la)},
		{"a magic in the garbage", join(a,
			[]byte{0x1f, 0x8b, 8, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, b),
			[]seen{{0, la, "first"}, {la + 18, lb, long}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			members, faults, _ := readAll(t, bytes.NewReader(c.file))
			if c.name == "a magic in the garbage" { // the faults of the false member do not matter
				var kept []seen
				for _, m := range members {
					if m.length > 0 {
						kept = append(kept, m)
					}
				}
				members, faults = kept, nil
			}
			if fmt.Sprint(members) != fmt.Sprint(c.want) {
				t.Errorf("members %v, want %v", members, c.want)
			}
			if got := strings.Join(faults, " "); got != c.faults {
				t.Errorf("faults %q, want %q", got, c.faults)
			}
		})
	}
}

func TestHeaderFields(t *testing.T) {
	a := write(t, "x")
	named := with(a, flagExtra|flagName|flagComment,
		append([]byte{6, 0, 's', 'l', 2, 0, 1, 2}, "name\x00a comment\x00"...)...)
	_, faults, headers := readAll(t, bytes.NewReader(named))
	if len(faults) > 0 || headers[0].Name != "name" || headers[0].Comment != "a comment" ||
		string(headers[0].Extra) != "sl\x02\x00\x01\x02" || headers[0].Length != 10+8+5+10 {
		t.Errorf("%+v, faults %v", headers[0], faults)
	}
	for _, c := range []struct{ name, comment, want string }{
		{"caf\xe9.warc", "two\nlines\xa0", "[]"},
		{"two\nlines", "x", "[GZIP-NAME@0]"},
		{"\u010desky.warc", "\x7f", "[GZIP-NAME@0 GZIP-COMMENT@0]"}, // in UTF-8
		{"x", "a\tb", "[GZIP-COMMENT@0]"},
	} {
		_, faults, _ := readAll(t, bytes.NewReader(with(a, flagName|flagComment,
			[]byte(c.name+"\x00"+c.comment+"\x00")...)))
		if got := fmt.Sprint(faults); got != c.want {
			t.Errorf("%q, %q: %s, want %s", c.name, c.comment, got, c.want)
		}
	}
	if _, faults, _ := readAll(t, bytes.NewReader(with(a, flagExtra, 3, 0, 'a', 'b', 'c'))); fmt.Sprint(
		faults) != "[GZIP-EXTRA@0]" {
		t.Errorf("half a subfield: %v", faults)
	}
	head := []byte{0x1f, 0x8b, 8, flagCRC16, 0, 0, 0, 0, 0, 3}
	sum := crc32.ChecksumIEEE(head)
	if _, faults, _ := readAll(t, bytes.NewReader(with(a, flagCRC16, byte(sum), byte(sum>>8)))); faults != nil {
		t.Errorf("a right CRC16: %v", faults)
	}
	if _, faults, _ := readAll(t, bytes.NewReader(with(a, flagCRC16, byte(sum)+1, byte(sum>>8)))); fmt.Sprint(
		faults) != "[GZIP-HEADER-CRC@0]" {
		t.Errorf("a wrong CRC16: %v", faults)
	}
	endless := append([]byte{0x1f, 0x8b, 8, flagName, 0, 0, 0, 0, 0, 3}, bytes.Repeat([]byte{'n'}, maxText+10)...)
	if _, faults, _ := readAll(t, bytes.NewReader(endless)); len(faults) == 0 || faults[0] != "GZIP-HEADER@0" {
		t.Errorf("an endless name: %v", faults)
	}
}

// TestMembersBehindDamageAreFound checks that members absorbed by damaged deflate data are found by
// going back.
func TestMembersBehindDamageAreFound(t *testing.T) {
	var file []byte
	var offsets []int64
	for i := range 20 {
		offsets = append(offsets, int64(len(file)))
		file = append(file, write(t, strings.Repeat(fmt.Sprintf("record %d ", i), 30))...)
	}
	for at := int(offsets[5]) + 10; at < int(offsets[6])-8; at++ {
		damaged := bytes.Clone(file)
		damaged[at] ^= 0x11
		members, _, _ := readAll(t, bytes.NewReader(damaged))
		found := map[int64]bool{}
		for _, m := range members {
			found[m.offset] = true
		}
		for i, offset := range offsets {
			if i != 5 && !found[offset] {
				t.Errorf("damage at %d: member %d at %d is not found", at, i, offset)
			}
		}
	}
}

// TestDamageInAStream checks that a source that cannot go back is read on from the damage.
func TestDamageInAStream(t *testing.T) {
	a, b := write(t, strings.Repeat("first ", 100)), write(t, "second")
	a[10] |= 6 // block type 3 does not exist
	members, faults, _ := readAll(t, struct{ io.Reader }{bytes.NewReader(append(a, b...))})
	if len(members) == 0 || members[len(members)-1].content != "second" || faults[0] != "GZIP-DEFLATE@0" {
		t.Errorf("members %v, faults %v", members, faults)
	}
}

func TestErrorsOfTheFileAreErrors(t *testing.T) {
	bad := errors.New("disk gone")
	r := NewReader(io.MultiReader(bytes.NewReader(write(t, "first")[:12]), failing{bad}), Options{})
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

func TestWriter(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, 9)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("x")); err == nil {
		t.Error("written outside a member")
	}
	if err := w.Begin(); err == nil {
		t.Error("after an error everything fails")
	}
	if _, err := NewWriter(&b, 42); err == nil {
		t.Error("level 42 was accepted")
	}
}

func FuzzReader(f *testing.F) {
	a, b := write(f, "first"), write(f, strings.Repeat("second ", 50))
	f.Add(append(bytes.Clone(a), b...))
	f.Add(append(bytes.Clone(a[:len(a)-2]), b...))
	f.Add(with(a, flagName|flagCRC16, 'n', 0, 1, 2))
	f.Fuzz(func(t *testing.T, file []byte) {
		members, _, _ := readAll(t, io.NewSectionReader(bytes.NewReader(file), 0, int64(len(file))))
		last := int64(-1)
		for _, m := range members {
			if m.offset <= last || m.length > 0 && m.offset+m.length > int64(len(file)) {
				t.Fatalf("members %v in %d bytes", members, len(file))
			}
			last = m.offset
		}
	})
}

// TestRestart checks that a reused Reader, even from within a damaged member, reads like a new one.
func TestRestart(t *testing.T) {
	good := append(write(t, "first"), write(t, strings.Repeat("second ", 20_000))...)
	r := NewReader(bytes.NewReader(good[:60]), Options{})
	for range 3 {
		if _, err := r.Next(); err == nil {
			_, _ = io.CopyN(io.Discard, r, 3)
		}
		r.Restart(bytes.NewReader(good))
		var all bytes.Buffer
		for {
			m, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(&all, r); err != nil || n != m.Inflated {
				t.Fatalf("%d of %d: %v", n, m.Inflated, err)
			}
		}
		if all.String() != "first"+strings.Repeat("second ", 20_000) || r.Offset() != int64(len(good)) {
			t.Errorf("%d bytes, to byte %d", all.Len(), r.Offset())
		}
		r.Restart(bytes.NewReader(good[5:60]))
	}
}

// TestRestartAfterHostileFile checks that the work that one file costs does not hide a damaged header
// of the next.
func TestRestartAfterHostileFile(t *testing.T) {
	r := NewReader(bytes.NewReader(nil), Options{})
	r.lostWork = lostHeaderWork + 1
	file := write(t, "content")
	file[2] = 7
	r.Restart(bytes.NewReader(file))
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if content, err := io.ReadAll(r); err != nil || string(content) != "content" {
		t.Errorf("%q, %v", content, err)
	}
}
