package migrate

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// outline holds the positions in a METS for insertions, and the data needed for them. The rest of
// the METS is copied byte for byte, so nothing is lost, whichever software wrote it.
type outline struct {
	containers int              // the highest number of a container
	number     map[string]int   // of the containers, by path
	restricted map[int][]string // the restrictions of containers, by number
	infected   map[recordAt]struct{}
	documents  []string       // paths of the METS of the records of containers (clause 2.18)
	single     bool           // the METS is one document
	dialect    premis.Dialect // of its PREMIS

	header   place   // start tag of metsHdr
	tag      string  // as written
	agent    int64   // after the last agent of metsHdr; 0 without agents
	sections int64   // before the fileSec
	files    int64   // before the end of the group of containers
	indexes  int64   // before the end of the group of indexes; 0 without such a group
	mets     int64   // before the end of the group of METS documents; 0 without such a group
	groups   int64   // before the end of the fileSec
	maps     []atMap // before the end of the first div of each structMap
}

// place is a stretch of a file.
type place struct{ from, to int64 }

// atMap is a position in a structMap.
type atMap struct {
	kind string // TYPE
	top  string // TYPE of its first div
	at   int64
}

// openOutline reads the outline of the METS of a package on disk.
func openOutline(pkg string, known *objects) (*outline, error) {
	f, err := os.Open(filepath.Join(pkg, aip.METSName))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	o, err := readOutline(f, known)
	if err != nil {
		return nil, err
	}
	for _, name := range o.documents {
		err := aip.ReadDocument(pkg, name, mets.Handler{
			Section: func(s mets.Section, _ *xmlstream.Reader) error { return known.section(s) }})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return o, nil
}

// source is a METS.
type source interface {
	io.ReadSeeker
	io.ReaderAt
}

// readOutline reads a METS twice: for its meaning, and for the positions.
func readOutline(in source, known *objects) (*outline, error) {
	o := &outline{number: map[string]int{}, restricted: map[int][]string{}, infected: map[recordAt]struct{}{}}
	if err := o.read(in, known); err != nil {
		return nil, err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if err := o.find(in); err != nil {
		return nil, err
	}
	tag := make([]byte, o.header.to-o.header.from)
	if _, err := in.ReadAt(tag, o.header.from); err != nil {
		return nil, err
	}
	o.tag = string(tag)
	switch {
	case o.sections == 0 || o.files == 0:
		return nil, fmt.Errorf("the METS has no fileGrp of USE %s", aip.UseContainers)
	case len(o.maps) == 0:
		return nil, errors.New("the METS has no structMap")
	}
	return o, nil
}

// read reads the meaning of the METS.
func (o *outline) read(in io.Reader, known *objects) error {
	return mets.Read(in, mets.Handler{
		Root: func(r mets.Root) error {
			o.single = !strings.HasPrefix(r.Profile, aip.Profile)
			return nil
		},
		Section: func(s mets.Section, _ *xmlstream.Reader) error {
			if s.Wrap != nil && strings.HasPrefix(s.Wrap.MDType, "PREMIS") &&
				strings.HasPrefix(s.Wrap.MDTypeVersion, "2.") {
				o.dialect = premis.V22
			}
			return known.section(s)
		},
		File: o.file,
	})
}

// recordAt is the place of a record.
type recordAt struct {
	container int
	order     int64
}

// file records the numbers of containers, their restrictions and their infected records.
func (o *outline) file(f mets.File, at mets.FilePlace) error {
	if len(at.Groups) > 0 && at.Groups[0].Use == aip.UseViral {
		if n, order, ok := aip.PartOf(f.ID, aip.RecordFileID); ok {
			o.infected[recordAt{n, order}] = struct{}{}
		}
		return nil
	}
	if len(at.Files) > 0 || len(at.Groups) != 1 || len(f.Locations) != 1 {
		return nil
	}
	if _, ok := aip.NumberOf(f.ID, aip.ContainerMETSFileID); ok && at.Groups[0].Use == aip.UseMETS {
		path, err := aip.PathOf(&f)
		o.documents = append(o.documents, path)
		return err
	}
	if at.Groups[0].Use != aip.UseContainers {
		return nil
	}
	n, ok := aip.NumberOf(f.ID, aip.ContainerFileID)
	if !ok {
		return fmt.Errorf("the container %.80q has not the ID that clause 2.6 gives it", f.ID)
	}
	path, err := mets.Path(f.Locations[0].Href)
	if err != nil {
		return err
	}
	o.number[path] = n
	for _, id := range f.AdmID {
		if strings.HasPrefix(id, aip.RestrictionIDPrefix) {
			o.restricted[n] = append(o.restricted[n], id)
		}
	}
	o.containers = max(o.containers, n)
	return nil
}

// find determines the positions. The first reading checked that the document is well-formed, and
// how deep and long its parts are.
func (o *outline) find(in io.Reader) error {
	d := xml.NewDecoder(in)
	w := walk{outline: o}
	for {
		from := d.InputOffset()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			w.start(t, place{from, d.InputOffset()})
		case xml.EndElement:
			w.end(place{from, d.InputOffset()})
		}
	}
}

// walk is the path to an element. An empty-element tag ends where it begins.
type walk struct {
	*outline
	open []step
}

type step struct {
	name string // of METS; "" for another namespace
	of   string // USE, or TYPE
}

func (w *walk) start(e xml.StartElement, at place) {
	s := step{}
	if e.Name.Space == mets.Namespace {
		s.name = e.Name.Local
	}
	for _, a := range e.Attr {
		if a.Name.Space == "" && (s.name == "fileGrp" && a.Name.Local == "USE" || (s.name == "structMap" ||
			s.name == "div") && a.Name.Local == "TYPE") {
			s.of = a.Value
		}
	}
	w.open = append(w.open, s)
	switch {
	case w.is("mets", "metsHdr"):
		w.header = at
	case w.is("mets", "fileSec"):
		w.sections = at.from
	}
}

func (w *walk) end(at place) {
	empty := at.from == at.to // it has no end tag for inserting before it
	switch {
	case empty:
	case w.is("mets", "metsHdr", "agent"):
		w.agent = at.to
	case w.is("mets", "fileSec", "fileGrp") && w.open[2].of == aip.UseContainers && w.files == 0:
		w.files = at.from
	case w.is("mets", "fileSec", "fileGrp") && w.open[2].of == aip.UseIndexes && w.indexes == 0:
		w.indexes = at.from
	case w.is("mets", "fileSec", "fileGrp") && w.open[2].of == aip.UseMETS && w.mets == 0:
		w.mets = at.from
	case w.is("mets", "fileSec"):
		w.groups = at.from
	case w.is("mets", "structMap", "div"):
		w.maps = append(w.maps, atMap{w.open[1].of, w.open[2].of, at.from})
	}
	w.open = w.open[:len(w.open)-1]
}

// is reports whether the open elements have these names.
func (w *walk) is(names ...string) bool {
	if len(w.open) != len(names) {
		return false
	}
	for i, name := range names {
		if w.open[i].name != name {
			return false
		}
	}
	return true
}

// path returns the path of a container.
func (o *outline) path(container int) string {
	for path, n := range o.number {
		if n == container {
			return path
		}
	}
	return ""
}
