package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/mail"
	"os"
	"path/filepath"
	"time"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// A document of the repository is an OCFL object with one file, such as the access rules. Ingest,
// recovery, audit, repair and rebuild treat it as they treat a package, so every copy has every
// version. Lists of packages omit it.

// The documents that Quire itself reads.
const (
	RulesDocument       = "rules"
	WithdrawalsDocument = "withdrawals"
)

// documentProfile is the profile of documents in the catalogue.
const documentProfile = "urn:quire:profile:document"

// MaxDocument is the maximum size of a document in bytes.
const MaxDocument = 16 << 20

// ErrChanged reports that another program stored a version first.
var ErrChanged = errors.New("another program stored a version meanwhile")

// Change is a new version of a document.
type Change struct {
	File    string // name of the file; a new name replaces the old one
	Text    []byte // at most MaxDocument bytes
	Because string // the reason, kept with the version and in its event
	By      string // the person responsible; "" for none
	// Base is the version that the change is made from, 0 for a new document; -1 for any. If the
	// newest version is another one, the error is [ErrChanged].
	Base int

	present bool // the copies that are present are enough, however many the repository requires
}

// DocumentVersion is one version of a document.
type DocumentVersion struct {
	Name    string    `json:"name"`
	Version int       `json:"version"`
	File    string    `json:"file"`
	Created time.Time `json:"created"`
	Because string    `json:"because"`
	By      string    `json:"by"`
	Size    int64     `json:"bytes"`
	SHA512  string    `json:"sha512"`
	// Inventory is the SHA-512 of the object's inventory of this version.
	Inventory string `json:"inventory"`
}

// documentID returns the id of a document.
func documentID(name string) (string, error) {
	id := catalogue.DocumentPrefix + name
	if _, ok := catalogue.DocumentName(id); !ok {
		return "", fmt.Errorf("%q is not the name of a document: use at most 64 lower-case letters, digits and hyphens",
			name)
	}
	return id, nil
}

// SetDocument stores a new version of a document in every copy, as [Store.Ingest] stores a package.
// If the newest version has the same file, no version is made.
func (s *Store) SetDocument(ctx context.Context, name string, c Change) (Receipt, error) {
	id, err := documentID(name)
	if err != nil {
		return Receipt{}, err
	}
	if why := unportable(c.File); why != "" || c.File != filepath.Base(c.File) {
		return Receipt{}, fmt.Errorf("document %s: %q cannot be kept as the name of its file", name, c.File)
	}
	if len(c.Text) > MaxDocument {
		return Receipt{}, fmt.Errorf("document %s has %d bytes; the limit is %d", name, len(c.Text), MaxDocument)
	}
	if err := s.Writable(); err != nil {
		return Receipt{}, err
	}
	dir, err := os.MkdirTemp("", "quire-document-")
	if err != nil {
		return Receipt{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	if err := os.WriteFile(filepath.Join(dir, c.File), c.Text, 0o600); err != nil {
		return Receipt{}, err
	}
	v, err := surveyDocument(id, dir)
	if err != nil {
		return Receipt{}, err
	}
	in := s.ingestOf(id, v, IngestOptions{NewVersion: true, Message: c.Because, By: c.By, base: &c.Base,
		present: c.present})
	return s.ingestLocked(ctx, in)
}

// surveyDocument is newSurvey for the folder of a document.
func surveyDocument(id, dir string) (*survey, error) {
	pkg, err := describeDocument(id, os.DirFS(dir))
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(filepath.Join(dir, pkg.METS))
	if err != nil {
		return nil, err
	}
	return &survey{dir: dir, pkg: pkg, bytes: info.Size(), files: []sourceFile{{path: pkg.METS, size: info.Size(),
		mod: info.ModTime(), stated: pkg.Files[0].SHA512}}}, nil
}

// describeDocument describes a document in the form of a package. Its one file takes the place of
// the METS.
func describeDocument(id string, fsys fs.FS) (model.Package, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return model.Package{}, err
	}
	if len(entries) != 1 || entries[0].IsDir() {
		return model.Package{}, fmt.Errorf("%s is a document with %d entries instead of one file", id, len(entries))
	}
	file := entries[0].Name()
	info, err := entries[0].Info()
	if err != nil {
		return model.Package{}, err
	}
	if info.Size() > MaxDocument || !info.Mode().IsRegular() {
		return model.Package{}, fmt.Errorf("%s has %d bytes; the limit is %d, in a regular file", id, info.Size(),
			MaxDocument)
	}
	f, err := fsys.Open(file)
	if err != nil {
		return model.Package{}, err
	}
	text, err := io.ReadAll(io.LimitReader(f, MaxDocument+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return model.Package{}, err
	}
	name, _ := catalogue.DocumentName(id)
	return model.Package{ID: id, Title: name, Profile: documentProfile, METS: file, Bytes: int64(len(text)),
		Files: []model.PackageFile{{Path: file, Size: int64(len(text)), SHA512: sumBytes(text)}}}, nil
}

// describeObject describes the content of an object: a package, or a document.
func (s *Store) describeObject(id string, fsys fs.FS) (model.Package, error) {
	if _, ok := catalogue.DocumentName(id); ok {
		return describeDocument(id, fsys)
	}
	return s.describe(fsys)
}

// DocumentState returns a text that changes with each version of a document; "" if there is none. It
// reads only the catalogue.
func (s *Store) DocumentState(ctx context.Context, name string) (string, error) {
	id, err := documentID(name)
	if err != nil {
		return "", err
	}
	card, err := s.catalogue.Package(ctx, id)
	if errors.Is(err, catalogue.ErrNotFound) {
		return "", nil
	}
	return card.Inventory, err
}

// Document returns a version of a document, 0 for the newest, with the text of its file. It compares
// the digest, and reads a damaged file from the next copy. The error is [ErrNotFound] if there is no
// such document.
func (s *Store) Document(ctx context.Context, name string, version int) (DocumentVersion, []byte, error) {
	all, o, err := s.documentVersions(ctx, name)
	if err != nil {
		return DocumentVersion{}, nil, err
	}
	at, err := versionOf(o, version)
	if err != nil {
		return DocumentVersion{}, nil, err
	}
	n, err := versionNumber(at)
	if err != nil {
		return DocumentVersion{}, nil, err
	}
	v := all[n-1]
	var failed error
	for f, err := range s.OpenCopies(ctx, catalogue.DocumentPrefix+name, v.Version, v.File) {
		if err != nil {
			failed = errors.Join(failed, err)
			break
		}
		text, err := readDocument(f)
		if err == nil && sumBytes(text) == v.SHA512 {
			return v, text, nil
		}
		failed = errors.Join(failed, err, fmt.Errorf("%s differs from the stored document", f.Name()))
	}
	return DocumentVersion{}, nil, fmt.Errorf("document %s: no copy has it undamaged; audit the repository: %w", name,
		failed)
}

// readDocument reads the file of a document in a copy, and closes it. The file there may have any size.
func readDocument(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err == nil && info.Size() > MaxDocument {
		err = fmt.Errorf("%s has %d bytes; the limit is %d", f.Name(), info.Size(), MaxDocument)
	}
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(f, MaxDocument+1))
	}
	return text, errors.Join(err, f.Close())
}

// DocumentHistory returns the versions of a document, the first one first, or an error that is
// [ErrNotFound].
func (s *Store) DocumentHistory(ctx context.Context, name string) ([]DocumentVersion, error) {
	all, _, err := s.documentVersions(ctx, name)
	return all, err
}

// documentVersions reads the versions of a document from the inventory that the catalogue names.
func (s *Store) documentVersions(ctx context.Context, name string) ([]DocumentVersion, *object, error) {
	id, err := documentID(name)
	if err != nil {
		return nil, nil, err
	}
	r, err := s.catalogue.Get(ctx, id)
	if errors.Is(err, catalogue.ErrNotFound) {
		return nil, nil, fmt.Errorf("the repository has no document %s: %w", name, ErrNotFound)
	}
	if err != nil {
		return nil, nil, err
	}
	o := s.folderTruth(r.Package)
	if o == nil {
		return nil, nil, fmt.Errorf("document %s: no available copy has its inventory; audit the repository", name)
	}
	var all []DocumentVersion
	for _, v := range r.Versions {
		d := DocumentVersion{Name: name, Version: v.Number, Created: v.Created, Because: v.Message, Size: v.Bytes,
			Inventory: v.Inventory}
		for _, f := range v.Files {
			d.File, d.SHA512 = f.Path, f.SHA512
		}
		d.By = authorOf(o, v.Number)
		all = append(all, d)
	}
	if len(all) != o.head() {
		return nil, nil, fmt.Errorf("document %s: the catalogue and the copies differ; rebuild the catalogue", name)
	}
	return all, o, nil
}

// authorOf returns the person or program that made a version, as its inventory names it.
func authorOf(o *object, version int) string {
	v := o.inventory.Versions[versionName(version)]
	if v == nil || v.User == nil {
		return ""
	}
	return v.User.Name
}

// Documents lists the newest version of each document, sorted by name.
func (s *Store) Documents(ctx context.Context) ([]DocumentVersion, error) {
	list := []DocumentVersion{}
	for p, err := range s.catalogue.Packages(ctx) {
		if err != nil {
			return nil, err
		}
		name, ok := catalogue.DocumentName(p.Object)
		if !ok {
			continue
		}
		all, _, err := s.documentVersions(ctx, name)
		if err != nil {
			return nil, err
		}
		list = append(list, all[len(all)-1])
	}
	return list, nil
}

// personOf returns a person as the author of a version. OCFL 1.1 clause 3.5.3.1 recommends an
// address that is a URI (W009): the person's mail address, or else the repository that knows them.
func (s *Store) personOf(by string) ocfl.User {
	if a, err := mail.ParseAddress(by); err == nil {
		return ocfl.User{Name: cmp.Or(a.Name, a.Address), Address: "mailto:" + a.Address}
	}
	return ocfl.User{Name: by, Address: "urn:uuid:" + s.id}
}
