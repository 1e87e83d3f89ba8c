package salvage

import (
	"bufio"
	"errors"
	"io"
	"os"
	"time"

	"quire/internal/jsonline"
	"quire/internal/secret"
)

// Result describes the salvage of one container.
type Result struct {
	Source      string `json:"source"`
	Bytes       int64  `json:"bytes"`
	SHA512      string `json:"sha512"`
	Format      string `json:"format"`      // "WARC" or "ARC"; "" if no record was found
	Compression string `json:"compression"` // as inspect states it
	Output      string `json:"output"`      // the new WARC; "" if no record is whole
	Aside       string `json:"aside"`       // the WARC with the damaged bytes; "" if there are none
	Report      string `json:"report"`      // one JSON object per line for each Line

	Kept     int64 `json:"kept"`
	Inferred int64 `json:"inferred"` // of the kept: found by a search
	Behind   int64 `json:"behind"`   // of the kept: the lengths of inferred records lead to them
	Unproven int64 `json:"unproven"` // of the kept: no sum or digest proves them, and something speaks against them

	Damaged   int64 `json:"damaged"`    // records that are not whole
	Gaps      int64 `json:"gaps"`       // ranges of the file that hold no record
	LostBytes int64 `json:"lost_bytes"` // of the file, kept aside
	Padding   int64 `json:"padding"`    // bytes of the file that hold nothing, such as zeros at its end

	Lost     int64 `json:"lost"`     // records that a name is known of, certainly lost
	Possible int64 `json:"possible"` // records that may have been in the lost bytes

	Fragments []Line `json:"fragments"` // at most MaxListed
	Losses    []Line `json:"losses"`    // at most MaxListed
}

// Whole reports whether nothing was lost.
func (r *Result) Whole() bool { return r.LostBytes == 0 && r.Lost == 0 && r.Unproven == 0 }

// MaxListed is how many fragments and losses a Result lists. The report lists all.
const MaxListed = 1000

// Kind is the kind of a line of the report.
type Kind string

// The kinds. The ranges of records with a length, members, fragments and padding cover the file
// exactly once.
const (
	Record   Kind = "record"   // a record that was kept
	Member   Kind = "member"   // a member or frame with several records, all kept
	Damaged  Kind = "damaged"  // a record that is not whole
	Fragment Kind = "fragment" // a range of the file that is kept aside
	Padding  Kind = "padding"  // a range of the file that holds nothing
	Lost     Kind = "lost"     // a record that is not in the new WARC
)

// Line is a line of the report.
type Line struct {
	Kind   Kind   `json:"kind"`
	Offset int64  `json:"offset"` // in the file: of a record in a member, of the member; -1 if unknown
	Length int64  `json:"length"` // in the file; -1 if unknown, or of a record that shares its member
	At     int64  `json:"inflated_offset"`
	Record string `json:"record,omitempty"` // WARC-Record-ID; "" in an ARC
	Type   string `json:"type,omitempty"`
	URL    string `json:"url,omitempty"`
	Date   string `json:"date,omitempty"`  // as stated
	Proof  Proof  `json:"proof,omitempty"` // of a kept record
	Found  Found  `json:"found,omitempty"` // how a record was found
	Why    string `json:"why,omitempty"`   // why it is damaged, or unproven
	// Findings are the codes that quire inspect reports for a kept record that no checksum proves.
	Findings []string `json:"findings,omitempty"`
	Aside    string   `json:"aside,omitempty"` // of a fragment: the id of the record with its bytes

	Certain  bool       `json:"certain,omitempty"` // of a loss
	Evidence []Evidence `json:"evidence,omitempty"`
}

// Proof is the strongest evidence that a kept record is as it was written.
type Proof string

// The proofs.
const (
	ByDigest   Proof = "digest"   // its WARC-Block-Digest matches
	ByChecksum Proof = "checksum" // the CRC32 of its gzip member matches
	ByLengths  Proof = "lengths"  // its lengths and separators fit; nothing contradicts
	Unproven   Proof = "none"     // its lengths fit, but its member is damaged, or its payload has another digest
)

// Found is how a record was found.
type Found string

// The ways.
const (
	InPlace  Found = ""        // where the record or member before it ends
	BySearch Found = "search"  // by a search after damage: inferred
	Behind   Found = "follows" // by the lengths of records after one that was found by a search
)

// Evidence names the source of the name of a lost record.
type Evidence struct {
	From   string `json:"from"` // "header", "record", "cdx" or "log"
	File   string `json:"file,omitempty"`
	Line   int64  `json:"line,omitempty"`
	Record string `json:"record,omitempty"` // id of the record that names it
	Field  string `json:"field,omitempty"`  // of that record
}

// lines writes the report.
type lines struct {
	file  *os.File // nil: it is discarded
	out   *bufio.Writer
	plain *secret.Writer // in front of out: the report conceals passwords in URLs
}

// newLines makes the file of a report. Without a path, the report is discarded.
func newLines(path string) (*lines, error) {
	if path == "" {
		l := &lines{out: bufio.NewWriterSize(io.Discard, 1<<10)}
		l.plain = secret.NewWriter(l.out)
		return l, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	l := &lines{file: f, out: bufio.NewWriterSize(f, 64<<10)}
	l.plain = secret.NewWriter(l.out)
	return l, nil
}

func (l *lines) add(line Line) error { return jsonline.Encode(l.plain, line) }

// close writes the rest to disk.
func (l *lines) close() error {
	err := errors.Join(l.plain.Flush(), l.out.Flush())
	if l.file == nil {
		return err
	}
	if err == nil {
		err = l.file.Sync()
	}
	return errors.Join(err, l.file.Close())
}

// dateOf returns a date for a report; "" if it is not known.
func dateOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
