package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/format/fault"
)

// made is a file of n records, each with a block of its own number.
func made(t testing.TB, c Compression, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, WriterOptions{Compression: c})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if _, _, err := w.WriteRecord(numbered(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// numbered is always the same record.
func numbered(i int) *Builder {
	content := strings.NewReader(strings.Repeat(fmt.Sprintf("record %d ", i), 300*i))
	b := NewResource(fmt.Sprintf("http://a/%d", i), day, "text/plain", content)
	b.ID = fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", i)
	return b
}

func written(t testing.TB, name string, file []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Open reads the records of each compression. At reads each alone, in any order.
func TestOpenAndAt(t *testing.T) {
	for _, c := range []Compression{Plain, Gzip, Zstd} {
		t.Run(string(c), func(t *testing.T) {
			const n = 60
			r, err := Open(written(t, "a.warc", made(t, c, n)))
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
			if len(at) != n {
				t.Fatalf("%d records", len(at))
			}
			for _, i := range []int{n - 1, 0, 30, 29, 31, 1, 30} {
				rec, err := r.At(at[i])
				if err != nil || rec.TargetURI() != fmt.Sprintf("http://a/%d", i) || rec.Offset != at[i] {
					t.Fatalf("record %d: %+v, %v", i, rec, err)
				}
				if v, err := rec.Verify(nil); err != nil || v.Block.Outcome != Match {
					t.Errorf("record %d: %+v, %v", i, v, err)
				}
				switch next, err := r.Next(); {
				case i == n-1 && !errors.Is(err, io.EOF), i < n-1 && (err != nil || next.Offset != at[i+1]):
					t.Errorf("behind record %d: %+v, %v", i, next, err)
				}
			}
			r.Report = nil // searching from a wrong place, it has much to report
			for _, wrong := range []int64{at[3] + 1, at[3] - 1, 1 << 40, -1} {
				if rec, err := r.At(wrong); !errors.Is(err, ErrNoRecord) {
					t.Errorf("at %d: %+v, %v", wrong, rec, err)
				}
			}
		})
	}
}

// Records that share a member differ by their place in it.
func TestMemberOffset(t *testing.T) {
	shared := record("resource", "two") + record("metadata", "three")
	r := NewReader(bytes.NewReader(zip(t, record("response", "one"), shared)))
	var got []string
	for rec, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(rec.Type(), rec.MemberOffset))
	}
	if want := fmt.Sprintf("[response0 resource0 metadata%d]", len(record("resource", "two"))); fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, test := range []struct {
		name, file string
		want       error
	}{
		{"a web page", "<html>" + strings.Repeat("text ", 20000), ErrNotWARC},
		{"an empty file", "", nil}, // it is reported, WARC-EMPTY
		{"damage before the first record", strings.Repeat("x", 1000) + "\n" + record("resource", "x"), nil},
	} {
		r, err := Open(written(t, "a", []byte(test.file)))
		if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("%s: %v", test.name, err)
		}
		if err == nil {
			_ = r.Close()
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestStream checks that a stream that cannot seek is read completely, and that At then returns an
// error.
func TestStream(t *testing.T) {
	r := NewReader(io.MultiReader(bytes.NewReader(made(t, Gzip, 3))))
	n := 0
	for _, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 3 {
		t.Errorf("%d records", n)
	}
	if _, err := r.At(0); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}

// Faults from before the first record reach a Report that is set after Open.
func TestReportSetLate(t *testing.T) {
	file := made(t, Gzip, 2)
	file[9] = 77 // the operating system of the first member's header
	r, err := Open(written(t, "a.warc.gz", file))
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
	good := record("resource", "x")
	for _, test := range []struct {
		name, file string
		records    int
		want       fault.Code
	}{
		{"nothing wrong", good + good, 2, ""},
		{"garbage between", good + "junk\n" + good, 1, FaultGarbage},
		{"cut", good + good[:len(good)-5], 1, FaultTruncated},
		{"no record", "nothing", 0, FaultGarbage},
	} {
		r := NewReader(strings.NewReader(test.file))
		r.Strict = true
		n := 0
		var f fault.Fault
		for rec, err := range r.Records() {
			switch {
			case errors.As(err, &f):
			case err != nil:
				t.Fatal(err)
			case rec != nil:
				n++
			}
		}
		if f.Code != test.want || n > test.records+1 || n < test.records {
			t.Errorf("%s: %d records, then %v", test.name, n, f)
		}
	}
}
