package statements

import (
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
)

// Set holds all statements on the rights in a package.
type Set struct {
	Package    string // its identifier
	Title      string
	Harvests   int // number of harvests
	Statements []Statement
	Files      []Files // never public, whatever the statements
}

// Files are files and sections of the METS that are restricted for one reason.
type Files struct {
	ID       string   `json:"id"` // of the rightsMD
	Why      []string `json:"why"`
	Total    int64    `json:"files"`    // number of files that refer to it
	Sections int64    `json:"sections"` // number of sections of the METS that refer to it
}

// maxStatements is the maximum number of statements and grants in a package, because they are kept
// in memory.
const maxStatements = 100_000

// Load reads the statements of a package. It reads mets.xml as a stream, and mets.xml.sha512, which
// must match: changed rights are not used. Memory grows with the number of statements, up to a
// hundred thousand.
func Load(fsys fs.FS) (*Set, error) {
	r := NewReader()
	if err := Verified(fsys, r.Handler()); err != nil {
		return nil, err
	}
	r.Finish()
	return r.Set(), nil
}

// Verified reads mets.xml once and passes its parts to h. At the end, mets.xml.sha512 must match: if there
// is an error, the caller must use nothing that h received.
func Verified(fsys fs.FS, h mets.Handler) error {
	f, err := aip.Open(fsys, aip.METSName)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w (%w)", aip.ErrNoPackage, err)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha512.New()
	if err := mets.Read(io.TeeReader(f, sum), h); err != nil {
		return fmt.Errorf("%s: %w", aip.METSName, err)
	}
	line, err := readStart(fsys, aip.DigestName)
	if err != nil {
		return err
	}
	if line != string(aip.DigestLine(hex.EncodeToString(sum.Sum(nil)))) {
		return fmt.Errorf("%s does not match %s: its rights may have been changed", aip.DigestName,
			aip.METSName)
	}
	return nil
}

func readStart(fsys fs.FS, name string) (string, error) {
	f, err := aip.Open(fsys, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	line, err := io.ReadAll(io.LimitReader(f, 1<<10))
	return string(line), err
}

// Read reads the rights in a METS.
func Read(in io.Reader) (*Set, error) {
	r := NewReader()
	if err := mets.Read(in, r.Handler()); err != nil {
		return nil, err
	}
	r.Finish()
	return r.Set(), nil
}

// Reader collects the statements of a METS while the METS is read, for callers that need other parts of
// it, too. They call each method for its part of the METS, in the order of [mets.Read].
type Reader struct {
	set      *Set
	kept     int
	secret   map[string]int    // index in Files
	grantors map[string]bool   // identifiers of agents to look up
	agents   map[string]string // their names
}

// NewReader returns a reader for one METS.
func NewReader() *Reader {
	return &Reader{set: &Set{Statements: []Statement{}, Files: []Files{}}, secret: map[string]int{},
		agents: map[string]string{}, grantors: map[string]bool{}}
}

// Handler passes all parts of a METS to the reader.
func (r *Reader) Handler() mets.Handler {
	return mets.Handler{Root: r.Root, Section: r.section, File: r.File, Div: r.Div}
}

// Set returns the statements. They grow while the METS is read.
func (r *Reader) Set() *Set { return r.set }

// Finish gives the statements the names of their agents, at the end of the METS.
func (r *Reader) Finish() {
	for i := range r.set.Statements {
		s := &r.set.Statements[i]
		if name, ok := r.agents[s.Agent]; ok {
			s.Agent = name
		}
	}
}

// Root keeps the identifier and the title of the package.
func (r *Reader) Root(root mets.Root) error {
	r.set.Package, r.set.Title = root.ObjID, root.Label
	return nil
}

// Div counts the harvests.
func (r *Reader) Div(d mets.Div, depth int) error {
	if depth == 1 && d.Type == "harvest" {
		r.set.Harvests++
	}
	return nil
}

func (r *Reader) section(s mets.Section, payload *xmlstream.Reader) error {
	r.Section(&s)
	switch {
	case s.Kind == mets.RightsMD:
		return r.Rights(s, payload)
	case IsAgent(&s, payload):
		payload.OnUnknown = func(string) {}
		a, err := premis.ReadAgent(payload)
		if err != nil {
			return err
		}
		r.Agent(&a)
	}
	return nil
}

// IsAgent reports whether a section of a METS has an agent of PREMIS.
func IsAgent(s *mets.Section, payload *xmlstream.Reader) bool {
	return payload != nil && s.Kind == mets.DigiprovMD && payload.Element().Local == "agent"
}

// Section counts the restricted sections. It does not read the payload.
func (r *Reader) Section(s *mets.Section) {
	for _, id := range s.AdmID {
		if i, ok := r.secret[id]; ok {
			r.set.Files[i].Sections++
		}
	}
}

// Rights reads the payload of a rightsMD, which is nil if it is elsewhere.
func (r *Reader) Rights(s mets.Section, payload *xmlstream.Reader) error {
	statements := []Statement{{Basis: Other, Authority: "rights in a form that Quire does not read", Grants: []Grant{{
		Act: Show, Zone: model.Restricted, Why: "rights that Quire does not understand are restricted"}}}}
	if payload != nil && payload.Element().Local == "rights" && strings.Contains(payload.Element().Space, "premis") {
		var err error
		payload.OnUnknown = func(string) {} // of other standards, or of later versions
		if statements, err = read(payload); err != nil {
			return err
		}
	}
	for _, id := range []string{s.AmdSec, s.ID} { // newer packages have a section for each
		if strings.HasPrefix(id, aip.RestrictionIDPrefix) {
			return r.restriction(id, statements)
		}
	}
	for _, st := range statements {
		st.ID = s.ID
		r.set.Statements = append(r.set.Statements, st)
		r.kept += 1 + len(st.Grants) + len(st.Scope.URLs) + len(st.Scope.Except)
		if st.Agent != "" {
			r.grantors[st.Agent] = true
		}
	}
	return r.bound()
}

// restriction records why files are restricted.
func (r *Reader) restriction(id string, statements []Statement) error {
	f := Files{ID: id, Why: []string{}}
	for i := range statements {
		f.Why = append(f.Why, statements[i].Notes...)
	}
	r.secret[id] = len(r.set.Files)
	r.set.Files = append(r.set.Files, f)
	r.kept++
	return r.bound()
}

func (r *Reader) bound() error {
	if r.kept > maxStatements {
		return fmt.Errorf("more than %d statements of rights and grants, the limit", maxStatements)
	}
	return nil
}

// Agent keeps the name of an agent that grants rights.
func (r *Reader) Agent(a *premis.Agent) {
	for _, id := range a.Identifiers {
		if r.grantors[id.Value] && len(a.Names) > 0 {
			r.agents[id.Value] = a.Names[0].Text
		}
	}
}

// File counts the restricted files.
func (r *Reader) File(f mets.File, _ mets.FilePlace) error {
	for _, id := range f.AdmID {
		if i, ok := r.secret[id]; ok {
			r.set.Files[i].Total++
		}
	}
	return nil
}
