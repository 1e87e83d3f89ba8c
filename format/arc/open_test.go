package arc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/format/fault"
	"quire/format/http1"
)

func answer(i int) string {
	return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n" +
		fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", 1000*i+1, strings.Repeat("x", 1000*i+1))
}

func made(t testing.TB, path string, c Compression, n int) {
	t.Helper()
	w, err := Create(path, WriterOptions{Date: created, Compression: c})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := w.WriteRecord(headerOf(fmt.Sprintf("http://a.org/%d", i), -1), strings.NewReader(answer(i))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("before Close: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Open reads the records of each compression. At reads each alone, in any order, with its message.
func TestOpenAndAt(t *testing.T) {
	for _, c := range []Compression{Plain, Gzip, Zstd} {
		t.Run(string(c), func(t *testing.T) {
			const n = 40
			path := filepath.Join(t.TempDir(), "a.arc")
			made(t, path, c, n)
			r, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if r.Compression() != c {
				t.Errorf("compression %s", r.Compression())
			}
			r.Report = func(f fault.Fault) { t.Error(f) }
			var at []int64
			for rec, err := range r.Records() {
				if err != nil {
					t.Fatal(err)
				}
				at = append(at, rec.Offset)
			}
			if len(at) != n+1 || r.Version().Name != "a.arc" {
				t.Fatalf("%d records, version %+v", len(at), r.Version())
			}
			for _, i := range []int{n, 1, 20, 21, 1, 2} {
				rec, err := r.At(at[i])
				if err != nil || rec.URL != fmt.Sprintf("http://a.org/%d", i-1) || rec.Offset != at[i] {
					t.Fatalf("record %d: %+v, %v", i, rec, err)
				}
				head, err := rec.HTTP()
				if err != nil || head.StatusCode != 200 {
					t.Fatalf("record %d: %v", i, err)
				}
				payload, err := rec.DecodedPayload()
				if err != nil {
					t.Fatal(err)
				}
				if b, err := io.ReadAll(payload); err != nil || string(b) != "hello"+strings.Repeat("x", 1000*(i-1)+1) {
					t.Errorf("record %d: %d bytes, %v", i, len(b), err)
				}
				if a, err := rec.Address(); err != nil || a.String() != "192.0.2.1" {
					t.Error(a, err)
				}
				switch next, err := r.Next(); {
				case i == n && !errors.Is(err, io.EOF), i < n && (err != nil || next.Offset != at[i+1]):
					t.Errorf("behind record %d: %+v, %v", i, next, err)
				}
			}
			r.Report = nil // searching from a wrong place, it has much to report
			for _, wrong := range []int64{at[3] + 100, 1 << 40} {
				if rec, err := r.At(wrong); !errors.Is(err, ErrNoRecord) {
					t.Errorf("at %d: %+v, %v", wrong, rec, err)
				}
			}
		})
	}
}

// Faults that Open found wait for Report.
func TestReportSetLate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.arc.gz")
	made(t, path, Gzip, 2)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file[9] = 77 // the operating system of the first member's header
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got []fault.Code
	r.Report = func(f fault.Fault) { got = append(got, f.Code) }
	for _, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(got) != "[GZIP-OS]" {
		t.Errorf("%v", got)
	}
}

// A strict reader ends with the first fault.
func TestStrict(t *testing.T) {
	good := "http://a.org/ 192.0.2.1 20251101100001 text/html 5\nhello\n"
	first := "filedesc://a.arc 0.0.0.0 20251101100000 text/plain 66\n1 0 Quire\n" + definition1 + "\n\n"
	for _, test := range []struct {
		name, file string
		records    int
		want       fault.Code
	}{
		{"nothing wrong", first + good + good, 3, ""},
		{"no version block", good, 0, NoVersionBlock},
		{"cut", first + good + good[:len(good)-3], 2, Truncated},
	} {
		r := NewReader(strings.NewReader(test.file))
		r.Strict = true
		n := 0
		var f fault.Fault
		for rec, err := range r.Records() {
			if err != nil && !errors.As(err, &f) {
				t.Fatal(err)
			}
			if rec != nil {
				n++
			}
		}
		if f.Code != test.want || n < test.records || n > test.records+1 {
			t.Errorf("%s: %d records, then %v", test.name, n, f)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("<html>no ARC"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); !errors.Is(err, ErrNotARC) {
		t.Error(err)
	}
	if _, err := Open(path + "absent"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// HTTP fails for a record whose block is not an HTTP message, and after a Read. The block can still
// be read completely.
func TestHTTP(t *testing.T) {
	for _, test := range []struct {
		name, url, block string
		read             bool // of the block before
		want             error
	}{
		{"an answer", "http://a.org/", answer(1), false, nil},
		{"https", "HTTPS://a.org/", answer(1), false, nil},
		{"HTTP/0.9", "http://a.org/", "<html>", false, http1.ErrNoHead},
		{"DNS", "dns:a.org", "20251101 a.org. 300 IN A 192.0.2.1", false, ErrNotHTTP},
		{"read before", "http://a.org/", answer(5), true, ErrBlockRead},
	} {
		file := fmt.Sprintf("%s 192.0.2.1 20251101100001 text/html %d\n%s\n", test.url, len(test.block), test.block)
		rec, err := NewReader(strings.NewReader(file)).Next()
		if err != nil {
			t.Fatal(err)
		}
		begin := make([]byte, 3)
		if test.read {
			if _, err := io.ReadFull(rec, begin); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := rec.HTTP(); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
		block, err := io.ReadAll(rec)
		if test.read {
			block = slices.Concat(begin, block)
		}
		if err != nil || string(block) != test.block {
			t.Errorf("%s: the block changed: %q, %v", test.name, block, err)
		}
	}
}

// At whatever byte an output fails, the writer reports up to which offset the records are complete,
// and writes nothing more.
func TestWriterFailsAtEachByte(t *testing.T) {
	if testing.Short() {
		t.Skip("makes one call after the other: run it without -short")
	}
	write := func(out io.Writer, c Compression) (n int, w *Writer, err error) {
		if w, err = NewWriter(out, WriterOptions{Name: "a.arc", Date: created, Compression: c}); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if err := w.WriteRecord(headerOf(fmt.Sprintf("http://a.org/%d", i), -1), strings.NewReader(answer(i))); err != nil {
				return n, w, err
			}
			n++
		}
		return n, w, nil
	}
	for _, c := range []Compression{Plain, Gzip, Zstd} {
		var whole bytes.Buffer
		if _, _, err := write(&whole, c); err != nil {
			t.Fatal(err)
		}
		for at := range whole.Len() {
			out := &limited{left: at}
			n, w, err := write(out, c)
			if !errors.Is(err, errFull) || w.Close() == nil {
				t.Fatalf("%s, failing at %d: %v", c, at, err)
			}
			if w.Offset() == 0 {
				continue
			}
			got := readAll(t, bytes.NewReader(out.Bytes()[:w.Offset()]))
			if len(got.records) != n+1 || len(got.faults) > 0 {
				t.Fatalf("%s, failing at %d: %d records of %d, %v", c, at, len(got.records), n+1, got.faults)
			}
		}
	}
}

// limited is an output that fails after a number of bytes, like a full disk.
type limited struct {
	bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	l.Buffer.Write(p[:n])
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// If a block is shorter than its stated length, its record is removed from the file. The unfinished
// file keeps the complete records.
func TestBlockFailsInFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.arc.gz")
	w, err := Create(path, WriterOptions{Date: created})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteRecord(headerOf(urlA, 5), strings.NewReader("hello")); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteRecord(headerOf(urlA, 5), strings.NewReader("hell")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	if err := w.Close(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Close: %v", err)
	}
	f, err := os.Open(path + ".open")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := readAll(t, f); len(got.records) != 2 || len(got.faults) > 0 {
		t.Errorf("%d records, %v", len(got.records), got.faults)
	}
}

// No method panics on any file, and At finds the records that Records found.
func FuzzRecords(f *testing.F) {
	dir := f.TempDir()
	for _, c := range []Compression{Plain, Gzip, Zstd} {
		path := filepath.Join(dir, string(c))
		made(f, path, c, 2)
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		f.Add(b[:len(b)-30])
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		const most = 1 << 20
		r := NewReader(bytes.NewReader(file))
		var at []int64
		for rec, err := range r.Records() {
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, rec.Offset)
			_, _ = rec.Address()
			_, _ = rec.Status()
			_, _ = rec.HTTP()
			if p, err := rec.DecodedPayload(); err == nil {
				_, _ = io.CopyN(io.Discard, p, most)
			}
		}
		for _, offset := range at {
			if rec, err := r.At(offset); err != nil && !errors.Is(err, ErrNoRecord) || err == nil && rec.Offset != offset {
				t.Fatalf("at %d: %v", offset, err)
			}
		}
		_ = r.Close()
	})
}
