package collection

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quire/internal/yamlfile"
	"quire/model"
)

// File is the definition of a collection (docs/reference/320_collections.md).
type File struct {
	ID          string
	Title       string
	Description string
	Curators    []string
	Subjects    []string
	Rights      string // path of a file of rights; "" if none
	Sheet       *Sheet // nil if none
	Harvests    []Harvest

	name string // of the file
}

// Sheet selects rows of a curator's spreadsheet.
type Sheet struct {
	Path, Mapping string
	IDs           []string // IDs of the rows; if empty, the rows of the level collection
}

// Harvest is a harvest of a collection. Its containers are listed, or they are the containers of
// packages, or both.
type Harvest struct {
	ID         string // if "", each package is a separate harvest with the package's ID
	Label      string
	Packages   []string // folders, or patterns of folders
	Containers []Expected
	Select     string // expression that chooses packages of a repository; see [Options]

	// ByYear makes a harvest for each year of a first capture from the selected packages: virtual harvests, for
	// packages whose harvests are not known.
	ByYear bool

	line int
}

// Expected is a container that the collection expects.
type Expected struct {
	Name   string
	Size   int64        // bytes; -1 if not stated
	Digest model.Digest // zero if not stated
}

// ReadFile reads the file. Paths in it are relative to its folder. The error lists all problems,
// with the lines.
func ReadFile(path string) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the file of the collection: %w", err)
	}
	defer in.Close() //nolint:errcheck // it was only read
	doc, err := yamlfile.Read(in, filepath.Base(path))
	if err != nil {
		return nil, err
	}
	return read(doc, filepath.Base(path), filepath.Dir(path))
}

// Selects reports whether the file selects packages of a repository.
func (f *File) Selects() bool {
	return slices.ContainsFunc(f.Harvests, func(h Harvest) bool { return h.Select != "" })
}

func read(doc *yamlfile.Node, name, dir string) (*File, error) {
	f := &File{name: name}
	place := func(n *yamlfile.Node) string {
		p := n.Text()
		if p == "" || filepath.IsAbs(p) {
			return p
		}
		return filepath.Join(dir, p)
	}
	doc.Fields(map[string]func(*yamlfile.Node){
		"id":          func(n *yamlfile.Node) { f.ID = n.Text() },
		"title":       func(n *yamlfile.Node) { f.Title = n.Text() },
		"description": func(n *yamlfile.Node) { f.Description = n.Text() },
		"curator":     func(n *yamlfile.Node) { f.Curators = n.Texts() },
		"subjects":    func(n *yamlfile.Node) { f.Subjects = n.Texts() },
		"rights":      func(n *yamlfile.Node) { f.Rights = place(n) },
		"sheet":       func(n *yamlfile.Node) { f.Sheet = sheetAt(n, place) },
		"harvests": func(n *yamlfile.Node) {
			n.Items(func(n *yamlfile.Node) { f.Harvests = append(f.Harvests, harvestAt(n, place)) })
		},
	})
	if f.ID == "" || f.Title == "" {
		doc.Fail("a collection needs an id and a title")
	}
	if len(f.Harvests) == 0 {
		doc.Fail("a collection needs harvests")
	}
	seen := map[string]bool{}
	for _, h := range f.Harvests {
		if seen[h.ID] && h.ID != "" {
			doc.Fail("two harvests are called %q", h.ID)
		}
		seen[h.ID] = true
	}
	return f, doc.Err()
}

func sheetAt(n *yamlfile.Node, place func(*yamlfile.Node) string) *Sheet {
	s := &Sheet{}
	n.Fields(map[string]func(*yamlfile.Node){
		"file":    func(n *yamlfile.Node) { s.Path = place(n) },
		"mapping": func(n *yamlfile.Node) { s.Mapping = place(n) },
		"rows":    func(n *yamlfile.Node) { s.IDs = n.Texts() },
	})
	if s.Path == "" {
		n.Fail("file is missing: name the spreadsheet")
	}
	return s
}

func harvestAt(n *yamlfile.Node, place func(*yamlfile.Node) string) Harvest {
	h := Harvest{line: n.Line()}
	n.Fields(map[string]func(*yamlfile.Node){
		"id":    func(n *yamlfile.Node) { h.ID = n.Text() },
		"label": func(n *yamlfile.Node) { h.Label = n.Text() },
		"packages": func(n *yamlfile.Node) {
			n.Items(func(n *yamlfile.Node) { h.Packages = append(h.Packages, place(n)) })
		},
		"containers": func(n *yamlfile.Node) {
			n.Items(func(n *yamlfile.Node) { h.Containers = append(h.Containers, expectedAt(n)) })
		},
		"select":  func(n *yamlfile.Node) { h.Select = n.Text() },
		"virtual": func(n *yamlfile.Node) { h.ByYear = n.OneOf("year") == "year" },
	})
	switch {
	case h.ByYear && (h.Select == "" || h.ID == "" || len(h.Packages)+len(h.Containers) > 0):
		n.Fail("virtual harvests need an id and select, and nothing else that names containers")
	case len(h.Packages)+len(h.Containers) == 0 && h.Select == "":
		n.Fail("expects no containers: add packages or containers, or select packages of a repository")
	case h.ID == "" && len(h.Containers) > 0:
		n.Fail("id is missing: it may be omitted only with packages")
	case h.ID == "" && h.Label != "":
		n.Fail("a label needs an id: without an id, each package is a separate harvest")
	}
	return h
}

// digests maps the names of keys to digest algorithms and their length in bytes.
var digests = map[string]struct {
	name  model.Algorithm
	bytes int
}{"md5": {model.MD5, 16}, "sha1": {model.SHA1, 20}, "sha256": {model.SHA256, 32}, "sha512": {model.SHA512, 64}}

// expectedAt reads a container: a name or a mapping.
func expectedAt(n *yamlfile.Node) Expected {
	e := Expected{Size: -1}
	if n.IsText() {
		e.Name = n.Text()
	} else {
		fields := map[string]func(*yamlfile.Node){
			"name": func(n *yamlfile.Node) { e.Name = n.Text() },
			"size": func(n *yamlfile.Node) { e.Size = n.Number() },
		}
		for key, d := range digests {
			fields[key] = func(n *yamlfile.Node) {
				text := strings.ToLower(n.Text())
				if b, err := hex.DecodeString(text); err != nil || len(b) != d.bytes {
					n.Fail("is no %s in hexadecimal", d.name)
				}
				if e.Digest.Value != "" {
					n.Fail("one digest is enough")
				}
				e.Digest = model.Digest{Algorithm: d.name, Value: text}
			}
		}
		n.Fields(fields)
	}
	if e.Name == "" {
		n.Fail("a container needs a name")
	}
	return e
}
