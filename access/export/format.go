package export

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"quire/repository/catalogue"
)

// Format is an export format.
type Format struct {
	Name  string // in --as and ?as=: "wacz"
	Title string // for people: "WACZ 1.1.1"
	About string // its purpose, in one sentence

	Ending string // of its single file: ".wacz"; "" for a folder
	MIME   string // of this file

	// Make writes the package to out. After an error the export is removed.
	Make func(ctx context.Context, s *Source, out *Output) error

	// Needs returns the stored files of which Make needs an intact copy. nil means all containers.
	Needs func(s *Source, o Options) []catalogue.File

	// Besides reports whether Make exports anything besides captures, such as documents open to the
	// readers. nil means no: without open captures, Run returns an *[EmptyError].
	Besides func(s *Source, o Options) bool
}

// Nothing is the Needs of a format that lists the captures that it cannot read, and goes on.
func Nothing(*Source, Options) []catalogue.File { return nil }

// Needed returns the stored files of which the format needs an intact copy.
func (f *Format) Needed(s *Source, o Options) []catalogue.File {
	if f.Needs == nil {
		return s.Containers()
	}
	return f.Needs(s, o)
}

// Single reports whether the format makes one file, not a folder.
func (f *Format) Single() bool { return f.Ending != "" }

// AIP is the name of the storage format: the output of (*store.Store).Export, for curators.
const AIP = "aip"

// Find returns the format with a name.
func Find(formats []Format, name string) (*Format, error) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("no export format %q; the formats are %s", name, strings.Join(Names(formats), ", "))
	}
	return &formats[i], nil
}

// Names returns the names of all formats, including the package as stored.
func Names(formats []Format) []string {
	names := []string{AIP}
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Options are the options of formats. The zero value is ready to use.
type Options struct {
	// for curators, in folder formats: include infected bytestreams, each in its own ZIP
	// (holdings.Quarantined)
	Infected   bool
	At         string // mirror: use captures closest to this moment (14 digits); "" means the newest
	VolumeSize int64  // warc, wacz: size in bytes at which the next file begins; 0 means DefaultVolume
	ItemPer    string // dspace-saf: "page" or "site"
	// mets: base URL of the replay server ("https://replay.example"); "" gives addresses that begin
	// with a slash
	Server      string
	Local       bool     // dspace-saf: also write metadata_local.xml, for data without a field in dc and dcterms
	Collections []string // dspace-saf: collections of the items, by Handle or UUID; the owning one first
	Bag         string   // bagit: content: another format, or "aip"; "" means aip for curators, warc for others
}

// DefaultVolume is the size in bytes at which the next WARC file begins. The WARC standard
// recommends it (Annex C).
const DefaultVolume = 1 << 30

// Progress receives the progress of an export. Both functions may be nil.
type Progress struct {
	Begin func(what string, total int64) // a part of the work begins: total is in bytes, 0 if unknown
	Add   func(bytes int64)
}

// Start reports that a part of the work begins; total is in bytes, 0 if unknown.
func (p Progress) Start(what string, total int64) {
	if p.Begin != nil {
		p.Begin(what, total)
	}
}

// Advance reports bytes processed.
func (p Progress) Advance(bytes int64) {
	if p.Add != nil {
		p.Add(bytes)
	}
}

// Copy copies in pieces, and stops when ctx ends.
func Copy(ctx context.Context, w io.Writer, r io.Reader, progress Progress) (n int64, err error) {
	buffer := make([]byte, 128<<10)
	for {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		k, err := r.Read(buffer)
		if k > 0 {
			if _, err := w.Write(buffer[:k]); err != nil {
				return n, err
			}
			n += int64(k)
			progress.Advance(int64(k))
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}
