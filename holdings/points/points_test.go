package points_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/holdings/points"
	"quire/repository/stored"
)

// film returns content that compresses a little: noise between repetitions.
func film(size int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 0, size)
	for len(b) < size {
		for range 9_000 {
			b = append(b, byte(random.Uint32()))
		}
		b = append(b, bytes.Repeat([]byte("black "), 500)...)
	}
	return b[:size]
}

const httpHead = "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n"

func record(body []byte) []byte {
	return fmt.Appendf(nil, "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: %d"+
		"\r\n\r\n%s%s\r\n\r\n", len(httpHead)+len(body), httpHead, body)
}

func zipped(t testing.TB, b []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// kept is a container with one record, and its points.
type kept struct {
	path string
	rec  points.Record
	file *points.File
}

func container(t testing.TB, member, body []byte) *kept {
	t.Helper()
	sum := sha256.Sum256(body)
	before := "something else\n" // 15 bytes
	k := &kept{path: filepath.Join(t.TempDir(), "c.warc"), rec: points.Record{Path: "containers/c.warc", SHA512: "abc",
		Place: &stored.Place{Offset: int64(len(before)), Stored: int64(len(member)), Head: int64(len(httpHead)),
			Body: int64(len(body)), SHA256: sum[:]}}}
	content := append([]byte(before), member...)
	if err := os.WriteFile(k.path, append(content, "and more"...), 0o600); err != nil {
		t.Fatal(err)
	}
	return k
}

// write makes the points.
func (k *kept) write(t testing.TB) error {
	t.Helper()
	f, err := os.Open(k.path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	err = points.Write(k.path+".points", func() string { return "state 1" }, func(m *points.Maker) error {
		return m.Make(context.Background(), f, &k.rec)
	})
	if err != nil {
		return err
	}
	if k.file, err = points.Open(k.path + ".points"); err == nil {
		t.Cleanup(func() { _ = k.file.Close() })
	}
	return err
}

// read reads up to n bytes of the body from an offset on.
func (k *kept) read(t testing.TB, offset, n int64) ([]byte, error) {
	t.Helper()
	f, err := os.Open(k.path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	body, err := k.file.Enter(context.Background(), f, &k.rec, offset)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(body, n))
}

// TestEnter: from any offset the bytes of the body come, whether the record is compressed or not; and the file is
// small.
func TestEnter(t *testing.T) {
	t.Parallel()
	body := film(10<<20 + 12_345)
	for name, member := range map[string][]byte{"plain": record(body), "gzip": zipped(t, record(body), 6),
		"stored": zipped(t, record(body), 0), "fast": zipped(t, record(body), 1)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := container(t, member, body)
			if err := k.write(t); err != nil {
				t.Fatal(err)
			}
			if !k.file.Is("state 1") || k.file.Is("state 2") {
				t.Error("the file does not know its state")
			}
			end := int64(len(body))
			for _, at := range []int64{0, 1, 256<<10 - 1, 256 << 10, 4 << 20, 4<<20 - 1, 9_300_000,
				end - 70_000, end - 1, end} {
				got, err := k.read(t, at, 600_000)
				if want := body[at:min(end, at+600_000)]; err != nil || !bytes.Equal(got, want) {
					t.Errorf("from %d: %d bytes, want %d, %v, or others", at, len(got), len(want), err)
				}
			}
			if _, err := k.read(t, end+1, 1); !errors.Is(err, points.ErrUnusable) {
				t.Errorf("behind the end: %v", err)
			}
			info, err := os.Stat(k.path + ".points")
			if err != nil || info.Size() > end/200 {
				t.Errorf("%d bytes of points for a body of %d bytes, %v", info.Size(), end, err)
			}
		})
	}
}

// TestFewBytesAreRead: to read the end of a body, only the part behind the last point is read.
func TestFewBytesAreRead(t *testing.T) {
	t.Parallel()
	body := film(14 << 20)
	k := container(t, zipped(t, record(body), 1), body)
	if err := k.write(t); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(k.path)
	if err != nil {
		t.Fatal(err)
	}
	clear(file[15 : len(file)/2]) // also the member's header
	if err := os.WriteFile(k.path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	const n = 64 << 10
	if got, err := k.read(t, int64(len(body))-n, n); err != nil || !bytes.Equal(got, body[len(body)-n:]) {
		t.Errorf("the end is not read alone: %v", err)
	}
	if _, err := k.read(t, 1<<20, n); !errors.Is(err, stored.ErrOther) {
		t.Errorf("the damaged beginning: %v", err)
	}
}

// TestDamage: if the container or the points are damaged, the bytes are right or there is an error. The error says
// which of the two it is.
func TestDamage(t *testing.T) {
	t.Parallel()
	body := film(6 << 20)
	k := container(t, zipped(t, record(body), 6), body)
	if err := k.write(t); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	flipped := func(path string, last int, want, other error) {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		failed := 0
		for range 25 {
			damaged := bytes.Clone(whole)
			damaged[len(whole)-1-random.IntN(min(last, len(whole)))] ^= byte(1 + random.IntN(255))
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			var got []byte
			at := random.Int64N(int64(len(body)))
			file, err := points.Open(k.path + ".points")
			if err == nil {
				k.file = file
				got, err = k.read(t, at, 300_000)
				_ = file.Close()
			}
			if !bytes.HasPrefix(body[at:], got) || err == nil && len(got) < min(300_000, len(body)-int(at)) {
				t.Fatalf("other bytes came from %d: %v", at, err)
			}
			if err != nil {
				failed++
			}
			if err != nil && !errors.Is(err, want) || errors.Is(err, other) {
				t.Errorf("%s is damaged: %v", filepath.Base(path), err)
			}
		}
		if failed == 0 {
			t.Errorf("no damage of %s was found", filepath.Base(path))
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	flipped(k.path+".points", 300, points.ErrUnusable, stored.ErrOther)  // the directory and the trailer
	flipped(k.path+".points", 1200, points.ErrUnusable, stored.ErrOther) // the tables, too
	flipped(k.path+".points", 1<<30, points.ErrUnusable, stored.ErrOther)
	flipped(k.path, 1<<30, stored.ErrOther, points.ErrUnusable)
}

// TestOther: points of another record, or of bytes that are not the known ones, are not made or not used.
func TestOther(t *testing.T) {
	t.Parallel()
	body := film(5 << 20)
	member := zipped(t, record(body), 1)
	oneLine := bytes.ReplaceAll(body, []byte("\n"), nil)
	for name, c := range map[string]struct {
		member []byte
		change func(*stored.Place)
		want   error
	}{
		"another digest":  {member, func(p *stored.Place) { p.SHA256 = make([]byte, 32) }, stored.ErrOther},
		"cut off":         {member, func(p *stored.Place) { p.Stored -= 100_000 }, stored.ErrOther},
		"another place":   {member, func(p *stored.Place) { p.Offset++ }, points.ErrUnusable},
		"another length":  {member, func(p *stored.Place) { p.Body-- }, stored.ErrOther},
		"longer":          {member, func(p *stored.Place) { p.Body += 1000 }, stored.ErrOther},
		"a short body":    {member, func(p *stored.Place) { p.Body = 1000 }, points.ErrUnusable},
		"a head too long": {member, func(p *stored.Place) { p.Head = 1 << 40 }, points.ErrUnusable},
		"not alone":       {member, func(p *stored.Place) { p.Stored = -1 }, points.ErrUnusable},
		"a bomb":          {member, func(p *stored.Place) { p.Stored = 1000 }, points.ErrUnusable},
		"no record":       {zipped(t, body, 1), func(*stored.Place) {}, points.ErrUnusable},
		"no end of header": {zipped(t, append([]byte("WARC/1.1\r\n"), oneLine...), 1), func(*stored.Place) {},
			points.ErrUnusable},
	} {
		k := container(t, c.member, body)
		c.change(k.rec.Place)
		if err := k.write(t); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if _, err := os.Stat(k.path + ".points"); err == nil {
			t.Errorf("%s: there are points", name)
		}
	}
	k := container(t, member, body)
	if err := k.write(t); err != nil {
		t.Fatal(err)
	}
	k.rec.Place.Offset = 3
	if _, err := k.read(t, 1, 1); !errors.Is(err, points.ErrUnusable) {
		t.Errorf("the record at another place: %v", err)
	}
	for _, text := range []string{"", "quire points 1\r\n", strings.Repeat("x", 500)} {
		if err := os.WriteFile(k.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := points.Open(k.path); !errors.Is(err, points.ErrUnusable) {
			t.Errorf("%.20q is opened: %v", text, err)
		}
	}
}

// TestKeep: the points of a container that did not change come from the earlier file.
func TestKeep(t *testing.T) {
	t.Parallel()
	body := film(6 << 20)
	k := container(t, zipped(t, record(body), 1), body)
	if err := k.write(t); err != nil {
		t.Fatal(err)
	}
	keep := func(rec points.Record) (kept bool) {
		err := points.Write(k.path+".points-2", func() string { return "state 2" }, func(m *points.Maker) (err error) {
			kept, err = m.Keep(k.file, &rec)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return kept
	}
	changed := k.rec
	changed.SHA512 = "another"
	if keep(changed) {
		t.Error("points of another container were kept")
	}
	if !keep(k.rec) {
		t.Fatal("the points were not kept")
	}
	file, err := points.Open(k.path + ".points-2")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	k.file = file
	if got, err := k.read(t, 5<<20, 500_000); err != nil || !bytes.Equal(got, body[5<<20:5<<20+500_000]) {
		t.Errorf("from kept points: %v", err)
	}
}

// TestLineFeeds: the header of a record may end with bare line feeds, as the reader of WARC files allows. Then the end
// of the HTTP head is not taken for it.
func TestLineFeeds(t *testing.T) {
	t.Parallel()
	body := film(5 << 20)
	header, rest, _ := bytes.Cut(record(body), []byte("\r\n\r\n"))
	bare := slices.Concat(bytes.ReplaceAll(header, []byte("\r\n"), []byte("\n")), []byte("\n\n"), rest)
	for name, member := range map[string][]byte{"plain": bare, "gzip": zipped(t, bare, 1)} {
		k := container(t, member, body)
		if err := k.write(t); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := k.read(t, 3<<20, 1000); err != nil || !bytes.Equal(got, body[3<<20:3<<20+1000]) {
			t.Errorf("%s: %d bytes, %v, or others", name, len(got), err)
		}
	}
}

// TestSkip: a record that could not be entered is kept as such, in the same state of the package and of the container.
func TestSkip(t *testing.T) {
	t.Parallel()
	k := container(t, record(nil), film(5<<20))
	k.rec.State = "version 1"
	path := k.path + ".points"
	state := func() string { return "" }
	if err := points.Write(path, state, func(m *points.Maker) error { m.Skip(&k.rec); return nil }); err != nil {
		t.Fatal(err)
	}
	for turn := range 2 {
		file, err := points.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		k.file = file
		if _, err := k.read(t, 1, 1); !errors.Is(err, points.ErrUnusable) {
			t.Errorf("turn %d: entered: %v", turn, err)
		}
		version, bytes := k.rec, k.rec
		version.State, bytes.SHA512 = "version 2", "another"
		err = points.Write(path, state, func(m *points.Maker) error {
			for i, rec := range []*points.Record{&version, &bytes, &k.rec} {
				if kept, err := m.Keep(file, rec); err != nil || kept != (i == 2) {
					t.Errorf("turn %d, record %d: kept %v, %v", turn, i, kept, err)
				}
			}
			return nil
		})
		if err = errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestImpossibleNumbers: a file whose numbers cannot be right is refused, though its checksums are right.
func TestImpossibleNumbers(t *testing.T) {
	t.Parallel()
	k := container(t, record(film(5<<20)), film(5<<20))
	if err := k.write(t); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(k.path + ".points")
	if err != nil {
		t.Fatal(err)
	}
	const body, start, tables, number, end = 64, 72, 80, 88, 96 // in the row of the directory
	for _, c := range []struct {
		at    int
		value uint64
	}{
		{body, 1 << 62}, {body, 1<<50 + 1}, {body, 1 << 63}, {body, points.Least - 1}, {start, 1 << 63},
		{start, 1 << 60}, {tables, 1 << 63}, {number, 1 << 63}, {number, 3}, // the kind
	} {
		bad := bytes.Clone(whole)
		row := bad[len(bad)-52-100:]
		binary.BigEndian.PutUint64(row[c.at:], c.value)
		binary.BigEndian.PutUint32(row[end:], crc32.ChecksumIEEE(row[:end]))
		if err := os.WriteFile(k.path+".bad", bad, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := points.Open(k.path + ".bad")
		if err != nil {
			t.Fatal(err)
		}
		err = points.Write(k.path+".new", func() string { return "" }, func(m *points.Maker) error {
			_, err := m.Keep(file, &k.rec)
			return err
		})
		if !errors.Is(err, points.ErrUnusable) {
			t.Errorf("%d at byte %d: kept: %v", c.value, c.at, err)
		}
		k.file = file
		if _, err := k.read(t, 1, 1); !errors.Is(err, points.ErrUnusable) {
			t.Errorf("%d at byte %d: entered: %v", c.value, c.at, err)
		}
		_ = file.Close() // only read
	}
}

// TestSecret: only the owner reads the file, because it has content.
func TestSecret(t *testing.T) {
	t.Parallel()
	k := container(t, zipped(t, record(film(5<<20)), 1), film(5<<20))
	if err := k.write(t); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(k.path + ".points"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
