package export

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format is a form in which packages are handed out.
type Format struct {
	Name  string // as --as and ?as= have it: "wacz"
	Title string // for people: "WACZ 1.1.1"
	About string // in a sentence: what it is good for

	Ending string // of the one file that it makes: ".wacz"; "" when it makes a folder
	MIME   string // of that file

	// Make writes the package to out. An error ends the export, and nothing of it is left.
	Make func(ctx context.Context, s *Source, out *Output) error
}

// Single says whether the format makes one file, not a folder.
func (f *Format) Single() bool { return f.Ending != "" }

// AIP is the name of the form in which packages are stored: what (*store.Store).Export makes, for
// curators.
const AIP = "aip"

// Find gives the format of a name.
func Find(formats []Format, name string) (*Format, error) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no export as %q: there is %s", name, strings.Join(Names(formats), ", "))
	}
	return &formats[i], nil
}

// Names are the names of all formats, with that of the package as it is stored.
func Names(formats []Format) []string {
	names := []string{AIP}
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Options are what can be chosen of a format. The zero value is good.
type Options struct {
	// for curators, of forms that are folders: what is infected comes too, each wrapped in a ZIP by
	// itself (holdings.Quarantined)
	Infected   bool
	At         string // mirror: of each page the capture closest to this moment (14 digits); "" is the newest
	VolumeSize int64  // warc, wacz: bytes after which the next file is begun; 0 is DefaultVolume
	ItemPer    string // dspace-saf: "page" or "site"
	// mets: where the replay server is ("https://replay.example"); "" gives addresses that begin
	// with its first slash
	Server      string
	Local       bool     // dspace-saf: what dc and dcterms have no place for comes too, in metadata_local.xml
	Collections []string // dspace-saf: the collections that items go into, by Handle or UUID; the owning one first
	Bag         string   // bagit: what is in the bag: another format, or "aip"; "" is aip for curators, warc for others
}

// DefaultVolume is how large WARC files become before the next is begun, in bytes. The WARC
// standard recommends it (Annex C).
const DefaultVolume = 1 << 30

// Progress is told how far an export has come. Both functions may be nil.
type Progress struct {
	Begin func(what string, total int64) // a part of the work begins: total is in bytes, 0 when nobody knows
	Add   func(bytes int64)
}

// Start says that a part of the work begins; total is in bytes, 0 when nobody knows.
func (p Progress) Start(what string, total int64) {
	if p.Begin != nil {
		p.Begin(what, total)
	}
}

// Advance tells of bytes that are done.
func (p Progress) Advance(bytes int64) {
	if p.Add != nil {
		p.Add(bytes)
	}
}

// Copy copies in pieces, so that the end of ctx is seen.
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
