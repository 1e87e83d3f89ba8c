package warc

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

// TestSwallowedRecordsAreFoundAgain checks that a Content-Length that reaches over other records,
// however far, hides none of them in a plain file.
func TestSwallowedRecordsAreFoundAgain(t *testing.T) {
	long := strings.Repeat("a line of a block that is longer than any look ahead\r\n", 5_000)
	before, behind := record("warcinfo", "software: x\r\n"), record("resource", "behind")
	for _, c := range []struct {
		name, block string
		over        int
		faults      string
	}{
		{"by a few bytes", "short", 7, "WARC-TRUNCATED"},
		{"over a record, to the middle of one", "short", len(behind) + 30, "WARC-TRUNCATED"},
		{"over many", "short", 300*len(behind) + 9, "WARC-TRUNCATED"},
		{"far over the end of the file", "short", 1 << 40, "WARC-TRUNCATED"},
		{"of a long block", long, 40, "WARC-TRUNCATED"},
		{"of a long block, far over the end", long, 1 << 40, "WARC-TRUNCATED"},
		{"to the end of a header", "short", strings.Index(behind, "\r\n\r\n") + 4, "WARC-TRUNCATED"},
		{"to the end of a line", "short", 4 + len("WARC/1.0"), "WARC-TRUNCATED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wrong := strings.Replace(record("resource", c.block), fmt.Sprintf("Content-Length: %d", len(c.block)),
				fmt.Sprintf("Content-Length: %d", len(c.block)+c.over), 1)
			file := []byte(before + wrong + strings.Repeat(behind, 1_000))
			got, faults := readAll(t, file)
			all := fmt.Sprintf("%s@%d WARC-INFERRED@%d", c.faults, len(before), len(before)+len(wrong))
			if len(got) != 1_002 || strings.Join(faults, " ") != all {
				t.Fatalf("%d records, faults %v", len(got), faults)
			}
			for i, s := range got[2:] {
				if want := int64(len(before) + len(wrong) + i*len(behind)); s.offset != want {
					t.Fatalf("record %d at %d, want %d", i+2, s.offset, want)
				}
			}
		})
	}
}

// TestAContainerAsABlockStaysWhole checks a block that contains records. If two CRLF follow the
// block, the reader trusts its length, and reports the damage after the block.
func TestAContainerAsABlockStaysWhole(t *testing.T) {
	inner := strings.Repeat(record("resource", "inner"), 2_000)
	file := record("resource", inner) + "XXRC/1.0\r\n" + record("resource", "last")
	got, faults := readAll(t, []byte(file))
	if len(got) != 2 || got[0].block != inner || len(faults) != 2 || !strings.HasPrefix(faults[0], "WARC-GARBAGE") ||
		!strings.HasPrefix(faults[1], "WARC-INFERRED") {
		t.Errorf("%d records, faults %v", len(got), faults)
	}
}

// TestSwallowingCostsBoundedWork checks that records that each claim the rest of the file do not
// make the reader read the file once per record.
func TestSwallowingCostsBoundedWork(t *testing.T) {
	file := bytes.Repeat([]byte("WARC/1.0\r\nContent-Length: 999999999\r\n\r\n"), 200_000)
	source := &work{Reader: bytes.NewReader(file)}
	r := NewReader(inflate.NewReader(source, inflate.Options{}))
	faults := 0
	r.Report = func(fault.Fault) { faults++ }
	for {
		if _, err := r.Next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if allowed := 64<<20 + 4*int64(len(file)); source.read > allowed || faults == 0 {
		t.Errorf("%d bytes were read of a file of %d, %d faults", source.read, len(file), faults)
	}
}
