// Package amend changes the description of a package: its title, its rights, notes on it, the
// descriptions of a curator's sheet. It writes
// only the files that change, so containers stay as they are
// (docs/reference/452_amend.md).
package amend

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/describe/rowmatch"
	"quire/preserve/statements"
)

// Options describe an amendment. At least one of Title, Rights, Sheet and Note is needed.
type Options struct {
	Title  string // "" keeps the title
	Rights string // path of a rights file, which replaces the one in the package; "" keeps the rights
	Sheet  *Sheet // descriptions, which replace those of earlier sheets; nil keeps them
	Note   string // a note on the website; "" for none

	Because string      // the reason: needed
	By      string      // the person responsible; "" for none
	Date    time.Time   // of the event; zero means now
	Agent   model.Agent // the software: name and version
	Out     string      // an empty folder for the files that change

	Start    func(total int64) // called with the bytes that Progress will count; nil for none
	Progress func(n int64)     // of the containers, which a sheet needs; nil for none
}

// Result lists the changes.
type Result struct {
	ID        string              `json:"id"`
	Event     string              `json:"event"`               // ID of the event in the METS
	Changes   []string            `json:"changes"`             // one sentence each
	Files     []string            `json:"files"`               // the files in Options.Out
	Described *rowmatch.Described `json:"described,omitempty"` // by a sheet
}

// ErrNothing reports that an amendment names no change.
var ErrNothing = errors.New("nothing to amend: name a title, rights, a sheet or a note")

// maxRights is the maximum size of a rights file in bytes.
const maxRights = 1 << 20

// job is one amendment.
type job struct {
	o                  Options
	pkg                string
	s                  *survey
	number             int             // of the amendment, from 1
	removed            map[string]bool // IDs of the rights sections to remove
	added              []statements.Statement
	rights             *newFile            // the rights file
	documents          []*newFile          // new documentation files
	sheet              *described          // nil without a sheet
	title, titleSource string              // the new title; "" keeps the title
	files              map[string]*newFile // the files that replace others, by the ID of the file element
	result             Result
}

// newFile is a file with new content.
type newFile struct {
	id, path, name string
	size           int64
	sha512         string
	added          bool // the package has no such file yet
}

// Run writes the changed files of a package into Options.Out. The package itself stays as it is.
func Run(ctx context.Context, pkg string, o Options) (*Result, error) {
	o.Title, o.Note, o.Because = strings.TrimSpace(o.Title), strings.TrimSpace(o.Note), strings.TrimSpace(o.Because)
	switch {
	case o.Title == "" && o.Rights == "" && o.Sheet == nil && o.Note == "":
		return nil, ErrNothing
	case o.Because == "":
		return nil, errors.New("an amendment needs a reason")
	}
	if o.Date.IsZero() {
		o.Date = time.Now()
	}
	o.Date = o.Date.UTC().Truncate(time.Second)
	s, err := newSurvey(pkg)
	if err != nil {
		return nil, err
	}
	j := &job{o: o, pkg: pkg, s: s, number: s.amendments + 1, removed: map[string]bool{}, files: map[string]*newFile{}}
	j.result = Result{ID: s.id, Event: eventID(j.number)}
	if o.Rights != "" {
		if err := j.takeRights(); err != nil {
			return nil, err
		}
		if err := j.pages(ctx); err != nil {
			return nil, err
		}
	}
	if o.Sheet != nil {
		if err := j.takeSheet(ctx); err != nil {
			return nil, err
		}
		j.result.Described = &j.sheet.Described
	}
	j.entitle()
	j.describe()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &j.result, j.writeMETS()
}

// takeRights reads the new rights file, and decides which statements it replaces: those of the earlier
// file. Statements from curators' systems stay.
func (j *job) takeRights() error {
	f, err := os.Open(j.o.Rights)
	if err != nil {
		return fmt.Errorf("the rights file: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxRights+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("the rights file: %w", err)
	}
	old := j.s.rightsFile()
	if old != nil {
		j.rights = &newFile{id: old.id, path: old.path, name: filepath.Base(old.path)}
		for i := range j.s.rights.Statements {
			if st := &j.s.rights.Statements[i]; fromFile(st, j.rights.name) {
				j.removed[st.ID] = true
			}
		}
	} else {
		j.rights = j.newDocument(j.o.Rights)
	}
	parsed, err := statements.ReadFile(bytes.NewReader(text), j.rights.name)
	if err != nil {
		return err
	}
	if j.added, err = parsed.Statements(j.s.harvests); err != nil {
		return err
	}
	for i := range j.added {
		j.added[i].ID = aip.RightsID(j.s.lastRights + i + 1)
	}
	j.rights.size, j.rights.sha512 = int64(len(text)), sumOf(text)
	return j.place(j.rights, bytes.NewReader(text))
}

// newDocument returns a new documentation file with the name of a given one.
func (j *job) newDocument(given string) *newFile {
	f := &newFile{id: aip.DocumentFileID(j.s.documents + len(j.documents) + 1), added: true,
		name: j.freeName(filepath.Base(given))}
	f.path = aip.DocumentsDir + "/" + f.name
	return f
}

// place writes a documentation file, new or in place of another.
func (j *job) place(f *newFile, text io.Reader) error {
	if f.added {
		j.documents = append(j.documents, f)
	} else {
		j.files[f.id] = f
	}
	return j.write(f.path, func(out io.Writer) error {
		_, err := io.Copy(out, text)
		return err
	})
}

// document adds a file to the documentation, and returns its name there. It replaces one of the same name, but
// not the rights file.
func (j *job) document(given string) (name string, err error) {
	text, err := os.Open(given)
	if err != nil {
		return "", err
	}
	defer func() { _ = text.Close() }() // it was only read
	f := j.newDocument(given)
	for i := range j.s.documented {
		old := &j.s.documented[i]
		if filepath.Base(old.path) == filepath.Base(given) && old != j.s.rightsFile() {
			f = &newFile{id: old.id, path: old.path, name: filepath.Base(old.path)}
		}
	}
	sum := sha512.New()
	counted := &counter{in: io.TeeReader(text, sum)}
	if err := j.place(f, counted); err != nil {
		return "", err
	}
	f.size, f.sha512 = counted.n, hex.EncodeToString(sum.Sum(nil))
	return f.name, nil
}

// counter counts the bytes that are read.
type counter struct {
	in io.Reader
	n  int64
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}

// entitle decides on the title. A sheet replaces only a title that is from a sheet.
func (j *job) entitle() {
	switch {
	case j.o.Title != "":
		j.title, j.titleSource = j.o.Title, "given to quire amend"
	case j.sheet != nil && fromSheet(j.s.titleSource):
		j.title, j.titleSource = j.sheet.Title()
	}
}

// fromFile reports whether a statement is from the rights file with that name.
func fromFile(s *statements.Statement, name string) bool {
	return strings.HasPrefix(s.Source, name+", line ")
}

// describe lists the changes, for the event.
func (j *job) describe() {
	say := func(format string, args ...any) {
		j.result.Changes = append(j.result.Changes, fmt.Sprintf(format, args...))
	}
	if j.title != "" && j.title != j.s.title {
		say("title: %q, before %q", j.title, j.s.title)
	}
	if j.rights != nil {
		say("rights: %s has %s, before %d", j.rights.path,
			humanize.Number(int64(len(j.added)), "statement", "statements"), len(j.removed))
	}
	if j.sheet != nil {
		say("%s", j.sheet.change(j.s.sheetRows))
	}
	if j.o.Note != "" {
		say("a note was added")
	}
}

// write writes a file into Options.Out.
func (j *job) write(name string, content func(io.Writer) error) error {
	path := filepath.Join(j.o.Out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	j.result.Files = append(j.result.Files, name)
	return errors.Join(content(f), f.Sync(), f.Close())
}
