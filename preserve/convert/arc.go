package convert

import (
	"context"
	"errors"
	"io"
	"time"

	"quire/model"
	"quire/preserve/convert/arcwarc"
	"quire/source/records"
)

// Converted says what became of one ARC.
type Converted struct {
	Source    string           `json:"source"` // the ARC, as it lies in the source
	Output    string           `json:"output"` // the WARC, below the folder of results
	Records   int64            `json:"records"`
	ByType    map[string]int64 `json:"by_type"` // what they became
	Undated   int64            `json:"undated"` // captures whose date names no time, kept as metadata
	Unclaimed int64            `json:"unclaimed_bytes"`
	Damaged   bool             `json:"damaged"` // not all that the ARC file holds could be inflated: keep it

	Bytes          int64  `json:"bytes"` // of the ARC file
	SHA512         string `json:"sha512"`
	InflatedBytes  int64  `json:"inflated_bytes"` // what it can be made again to
	InflatedSHA512 string `json:"inflated_sha512"`
	OutputBytes    int64  `json:"output_bytes"`
	OutputSHA512   string `json:"output_sha512"`

	Findings      []model.Finding  `json:"findings"` // at most so many of each code as MaxFindings
	FindingCounts map[string]int64 `json:"finding_counts"`
}

// Sound says whether nothing was found in the ARC that is graver than a warning.
func (c *Converted) Sound() bool {
	for _, f := range c.Findings {
		if f.Severity == model.Error {
			return false
		}
	}
	return true
}

// MaxFindings is how many findings of one code are listed for a container.
const MaxFindings = 20

// File is what is read: a container in a folder, or in an archive.
type File interface {
	io.Reader
	io.Seeker
}

// ARC converts one ARC, from its beginning, and writes the WARC to out. name is the ARC's, without
// folders; the WARC says it. The date is that of the ARC's own making, and not of today, so that
// the same ARC gives the same bytes each time: when it was converted is told by the event. modified
// stands in for the date of an ARC in which none can be read.
func ARC(ctx context.Context, file File, name string, modified time.Time, out io.Writer, o FileOptions) (*Converted,
	error) {
	date, err := dateOf(file, modified)
	if err != nil {
		return nil, err
	}
	if !o.Date.IsZero() {
		date = o.Date
	}
	found := newFindings()
	report, err := arcwarc.Convert(ctx, progressing{file, o.Progress}, out, arcwarc.Options{
		Name: name, Software: o.Software, Date: date, Level: o.Level, TempDir: o.TempDir, Report: found.add,
		CopyTo: o.CopyTo,
	})
	if err != nil {
		return nil, err
	}
	return &Converted{
		Records: report.Records, ByType: report.Types, Undated: report.Undated, Unclaimed: report.Between,
		Damaged: report.Damaged,
		Bytes:   report.Size, SHA512: report.SHA512, InflatedBytes: report.InflatedSize,
		InflatedSHA512: report.InflatedSHA,
		OutputBytes:    report.WrittenSize, OutputSHA512: report.WrittenSHA512, Findings: found.kept,
		FindingCounts: found.counts,
	}, nil
}

// FileOptions are the settings for the conversion of one file.
type FileOptions struct {
	Software string      // that converts, with its version
	Date     time.Time   // that the WARC states as its own; zero is that of the source
	Level    int         // of gzip; 0 is the usual one
	TempDir  string      // "" is where temporary files go
	CopyTo   io.Writer   // gets each byte of the source's file, once and in order; may be nil
	Progress func(int64) // told of bytes read; may be nil

	KeptHeadsOnly bool // of a mirror: make no head for redirects and errors; see mirror.Options
}

// dateOf takes the date of the first record, which in an ARC is that of the file, and leaves the
// file at its beginning.
func dateOf(file File, modified time.Time) (time.Time, error) {
	rec, err := records.NewReader(file, nil).Next()
	date := modified
	if err == nil && !rec.Date.IsZero() {
		date = rec.Date
	}
	if errors.Is(err, io.EOF) || errors.Is(err, records.ErrNotContainer) {
		err = nil // the conversion says what is wrong with it
	}
	if _, seekErr := file.Seek(0, io.SeekStart); err == nil {
		err = seekErr
	}
	return date.UTC().Truncate(time.Second), err
}

// progressing tells how far a file was read. What is read again is not told twice.
type progressing struct {
	File
	progress func(int64)
}

// Read implements io.Reader.
func (p progressing) Read(b []byte) (int, error) {
	n, err := p.File.Read(b)
	if p.progress != nil {
		p.progress(int64(n))
	}
	return n, err
}

// Proof is what reading a WARC again showed.
type Proof struct {
	Restorable bool   `json:"restorable"`
	Why        string `json:"why,omitempty"` // it is not
}

// ProveReader reads the WARC that an ARC became, and makes the ARC of it again, as far as its
// digest. An ARC that is damaged is never restorable: what could not be inflated is in no WARC.
func ProveReader(ctx context.Context, warc io.Reader, c *Converted) (*Proof, error) {
	restored, err := arcwarc.Restore(ctx, warc, io.Discard)
	switch {
	case errors.Is(err, arcwarc.ErrNotConverted):
		return &Proof{Why: err.Error()}, nil
	case err != nil:
		return nil, err
	case restored.SHA512 != c.InflatedSHA512:
		return &Proof{Why: "what the WARC restores has another SHA-512 than what was converted"}, nil
	case c.Damaged:
		return &Proof{Why: "the ARC file is damaged: it may hold more than could be inflated"}, nil
	}
	return &Proof{Restorable: true}, nil
}
