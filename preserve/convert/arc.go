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

// Converted is the result of converting one ARC.
type Converted struct {
	Source    string           `json:"source"` // path of the ARC in the source
	Output    string           `json:"output"` // the WARC, below the folder of results
	Records   int64            `json:"records"`
	ByType    map[string]int64 `json:"by_type"` // WARC records by type
	Undated   int64            `json:"undated"` // captures without a valid date, kept as metadata
	Unclaimed int64            `json:"unclaimed_bytes"`
	Damaged   bool             `json:"damaged"` // part of the ARC file could not be inflated: keep the file

	Bytes          int64  `json:"bytes"` // of the ARC file
	SHA512         string `json:"sha512"`
	InflatedBytes  int64  `json:"inflated_bytes"` // size of the ARC that can be restored
	InflatedSHA512 string `json:"inflated_sha512"`
	Compression    string `json:"compression"`        // "none", "gzip", "zstd"
	Version        string `json:"version,omitempty"`  // of the ARC, as its version block states: "1.0"
	Software       string `json:"software,omitempty"` // that wrote it, as its metadata states
	// Created is the date of the version block; nil if it has none.
	Created *time.Time `json:"created,omitempty"`

	OutputBytes  int64  `json:"output_bytes"`
	OutputSHA512 string `json:"output_sha512"`

	Findings      []model.Finding  `json:"findings"` // at most MaxFindings of each code
	FindingCounts map[string]int64 `json:"finding_counts"`
}

// Sound reports whether the ARC has no finding more severe than a warning.
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

// File is the input: a container in a folder or in an archive.
type File interface {
	io.Reader
	io.Seeker
}

// ARC converts one ARC, from its beginning, and writes the WARC to out. name is the file name of
// the ARC without folders; the WARC records it. The WARC is dated with the ARC's own date, so the
// same ARC always gives the same bytes; the event records the time of the conversion. modified is
// used if no date in the ARC can be read.
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
	made := &Converted{
		Records: report.Records, ByType: report.Types, Undated: report.Undated, Unclaimed: report.Between,
		Damaged: report.Damaged,
		Bytes:   report.Size, SHA512: report.SHA512, InflatedBytes: report.InflatedSize,
		InflatedSHA512: report.InflatedSHA,
		OutputBytes:    report.WrittenSize, OutputSHA512: report.WrittenSHA512, Findings: found.kept,
		FindingCounts: found.counts,
		Compression:   string(report.Source.Compression), Version: report.Source.Version,
		Software: report.Source.Software,
	}
	if created := report.Source.Created; !created.IsZero() {
		made.Created = &created
	}
	return made, nil
}

// FileOptions configures the conversion of one file.
type FileOptions struct {
	Software string      // the converting software, with its version
	Date     time.Time   // date of the WARC; if zero, the date of the source
	Level    int         // of gzip; 0 is the default
	TempDir  string      // for temporary files; "" is the system's folder
	CopyTo   io.Writer   // receives each byte of the source file, once and in order; may be nil
	Progress func(int64) // receives the number of bytes read; may be nil

	KeptHeadsOnly bool // of a mirror: create no heads for redirects and errors; see mirror.Options
}

// dateOf returns the date of the first record, which is the date of an ARC file. It returns the
// file to its beginning.
func dateOf(file File, modified time.Time) (time.Time, error) {
	rec, err := records.NewReader(file, nil).Next()
	date := modified
	if err == nil && !rec.Date.IsZero() {
		date = rec.Date
	}
	if errors.Is(err, io.EOF) || errors.Is(err, records.ErrNotContainer) {
		err = nil // the conversion reports the problem
	}
	if _, seekErr := file.Seek(0, io.SeekStart); err == nil {
		err = seekErr
	}
	return date.UTC().Truncate(time.Second), err
}

// progressing reports how far a file was read. Bytes read again are not reported twice.
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

// Proof is the result of reading a WARC again.
type Proof struct {
	Restorable bool   `json:"restorable"`
	Why        string `json:"why,omitempty"` // why it is not restorable
}

// ProveReader restores the ARC from its WARC and compares the digest. A damaged ARC is never
// restorable: bytes that could not be inflated are in no WARC.
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
