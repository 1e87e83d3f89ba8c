package arc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"quire/format/fault"
	"quire/format/inflate"
)

// urls reads a plain file and lists the offsets of its records, and the codes of the faults.
func urls(t *testing.T, file io.Reader) (found []string, faults string) {
	t.Helper()
	in := inflate.NewReader(file, inflate.Options{})
	r := NewReader(in)
	var codes []string
	r.Report = func(f fault.Fault) { codes = append(codes, fmt.Sprintf("%s@%d", f.Code, f.Offset)) }
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return found, strings.Join(codes, " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, fmt.Sprintf("%s@%d", rec.URL, rec.Offset))
	}
}

func line(url string, length int) string {
	return fmt.Sprintf("%s 192.0.2.1 20080430204825 text/plain %d\n", url, length)
}

// TestSwallowedRecordsAreFoundAgain checks that a length that reaches over other records, however
// far, hides none of them in a plain file.
func TestSwallowedRecordsAreFoundAgain(t *testing.T) {
	block := "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
	version := line("filedesc://a.arc", len(block)) + block + "\n"
	behind := line("http://b.org/", 6) + "behind\n"
	long := strings.Repeat("a line of a block that is longer than any look ahead\n", 5_000)
	for _, c := range []struct {
		name, block string
		over        int
	}{
		{"by a few bytes", "short", 7},
		{"to the end of the next record", "short", 1 + len(behind) + len(behind) - 8},
		{"over many", "short", 500*len(behind) + 20},
		{"far over the end of the file", "short", 1 << 40},
		{"of a long block", long, 40},
		{"of a long block, far over the end", long, 1 << 40},
		{"to the middle of the next address", "short", 1 + len("ht")},
	} {
		t.Run(c.name, func(t *testing.T) {
			wrong := line("http://a.org/", len(c.block)+c.over) + c.block + "\n"
			found, faults := urls(t, strings.NewReader(version+wrong+strings.Repeat(behind, 1_000)))
			want := fmt.Sprintf("ARC-LENGTH@%d ARC-INFERRED@%d", len(version), len(version)+len(wrong))
			if len(found) != 1_002 || faults != want {
				t.Fatalf("%d records, faults %s", len(found), faults)
			}
			for i, f := range found[2:] {
				if want := fmt.Sprintf("http://b.org/@%d", len(version)+len(wrong)+i*len(behind)); f != want {
					t.Fatalf("record %d is %s, want %s", i+2, f, want)
				}
			}
		})
	}
}

// TestRecordWithinALine checks that a record within a line is found where its address begins.
func TestRecordWithinALine(t *testing.T) {
	good := line("http://example.org/", 5) + "hello\n"
	for _, c := range []struct{ name, before string }{
		{"noise", "\x00\x9a \x01"},
		{"the rest of a page", `<p class="x">with <a href="http://other.org/">a link</a>`},
		{"a letter in place of the newline", "J"},
	} {
		first := line("http://first.org/", 5) + "hello"
		found, faults := urls(t, strings.NewReader(first+c.before+good))
		if want := fmt.Sprintf("http://example.org/@%d", len(first)+len(c.before)); len(found) != 2 ||
			found[1] != want || faults == "" {
			t.Errorf("%s: %v, want %s; faults %s", c.name, found, want, faults)
		}
	}
}

// TestSwallowingCostsBoundedWork reads a file with many records. Each record claims to be as long
// as the rest of the file. The reader must not read the whole file again for each of them.
func TestSwallowingCostsBoundedWork(t *testing.T) {
	file := bytes.Repeat([]byte(line("http://example.org/", 999_999_999)), 100_000)
	source := &work{Reader: bytes.NewReader(file)}
	found, faults := urls(t, source)
	if allowed := 64<<20 + 4*int64(len(file)); source.read > allowed || len(found) == 0 || faults == "" {
		t.Errorf("%d bytes were read of a file of %d, %d records", source.read, len(file), len(found))
	}
}

// work is a file that counts the bytes that the reader fetches from it, including bytes read again.
type work struct {
	*bytes.Reader
	read int64
}

func (w *work) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.read += int64(n)
	return n, err
}
