package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/repository/ocfl"
	remote "quire/repository/place"
)

// Entries of a copy folder.
const (
	copyFile          = "quire-copy.json" // identifies the copy and its repository
	rootFolder        = "ocfl"            // the OCFL storage root
	stagingFolder     = "staging"         // unfinished objects, on the same file system
	auditsFolder      = "audits"          // one file for each audit run
	quarantineFolder  = "quarantine"      // damaged objects that a repair moved away
	quarantinedEvents = "events"          // in a folder of the quarantine: events by the path of their object
)

// copyFolder is one copy: a full replica of every package, in one place.
type copyFolder struct {
	name string
	path string
	disk *disk
	repo string // folder of the repository, for messages; "" in init
	home home   // during changes

	far    remote.Place // a copy that is not a folder; nil for a folder
	farErr error        // of its settings
	traits *remote.Traits

	silence *silence // of a far copy
}

// copyIdentity is the content of quire-copy.json. It protects a copy of another repository, mounted
// in the wrong place, from being written or trusted.
type copyIdentity struct {
	Format     int    `json:"format"` // 1
	Repository string `json:"repository"`
	Name       string `json:"name"`
	// Names has the names of all copies that the repository ever had. A name is never reused:
	// events refer to copies by name, and a new disk must not inherit the history of a lost one.
	Names []string `json:"names"`
	// Retired is the time at which the copy was taken out of use; nil for a copy in use.
	Retired *time.Time `json:"retired,omitempty"`
	// Catalogue is the address of the database with the catalogue, without a password; "" is a file.
	Catalogue string `json:"catalogue,omitempty"`
	// Permissions and Rules are those of the repository, for rebuilding it from this copy.
	Permissions
	Rules
}

func (c *copyFolder) root() string             { return filepath.Join(c.path, rootFolder) }
func (c *copyFolder) staging(tx string) string { return filepath.Join(c.path, stagingFolder, tx) }
func (c *copyFolder) object(path string) string {
	if c.isFar() {
		return c.path + "/" + rootFolder + "/" + path
	}
	return filepath.Join(c.root(), filepath.FromSlash(path))
}
func (c *copyFolder) audits() string              { return filepath.Join(c.path, auditsFolder) }
func (c *copyFolder) quarantine(tx string) string { return filepath.Join(c.path, quarantineFolder, tx) }

// stagedObject is the staged folder of the object, or its new part.
func (c *copyFolder) stagedObject(tx string) string { return filepath.Join(c.staging(tx), "object") }

// check checks that the copy is present and is the right one.
func (c *copyFolder) check(repository string) error {
	text, err := c.readIdentity()
	if errors.Is(err, fs.ErrNotExist) && c.isFar() {
		return fmt.Errorf("copy %s is missing: %s has no %s", c.name, c.path, copyFile)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("copy %s is missing: %s has no %s; is its disk mounted?", c.name, c.path, copyFile)
	}
	if err != nil {
		return fmt.Errorf("copy %s cannot be read: %w", c.name, err)
	}
	id, err := parseIdentity(text)
	if errors.Is(err, errGarbled) {
		return fmt.Errorf("copy %s: %s: %w; write it again from the other copies: quire init rebuild %s", c.name,
			filepath.Join(c.path, copyFile), err, c.repo)
	}
	if err != nil {
		return fmt.Errorf("copy %s: %s: %w", c.name, filepath.Join(c.path, copyFile), err)
	}
	if id.Repository != repository || id.Name != c.name {
		return fmt.Errorf("copy %s: %s is copy %q of repository %s, not of %s; a disk is mounted in the wrong place",
			c.name, c.path, id.Name, id.Repository, repository)
	}
	return nil
}

// maxIdentity bounds the file that identifies a copy, in bytes.
const maxIdentity = 1 << 20

// readIdentity reads the text of the identity.
func (c *copyFolder) readIdentity() ([]byte, error) {
	if c.isFar() {
		return c.readFar()
	}
	return readSmall(filepath.Join(c.path, copyFile), maxIdentity)
}

// copyAt returns the copy at the path of a folder, or at an address.
func copyAt(name, path string, d *disk, repo string) *copyFolder {
	if remote.IsURL(path) {
		return farCopy(name, path, d, repo)
	}
	return &copyFolder{name: name, path: path, disk: d, repo: repo}
}

// readIdentity reads the identity of a copy from its folder or address: the repository and the name of
// the copy.
func readIdentity(path string) (copyIdentity, error) {
	text, err := copyAt("", path, nil, "").readIdentity()
	if err != nil {
		return copyIdentity{}, fmt.Errorf("%s is not a copy of a repository: %w", path, err)
	}
	id, err := parseIdentity(text)
	if err != nil {
		return copyIdentity{}, fmt.Errorf("%s is not a copy of a repository: %s: %w", path, copyFile, err)
	}
	return id, nil
}

// parseIdentity checks the values that identify a copy.
func parseIdentity(text []byte) (copyIdentity, error) {
	var id copyIdentity
	err := json.Unmarshal(text, &id)
	switch {
	case err != nil:
		return id, fmt.Errorf("%w: %w", errGarbled, err)
	case id.Format > 1:
		return id, fmt.Errorf("format %d is %w", id.Format, errNewer)
	case id.Format != 1 || !validName(id.Name) || !isToken(id.Repository):
		return id, fmt.Errorf("%w: it names no repository and copy", errGarbled)
	}
	return id, nil
}

// make writes an empty copy. It writes the identity last: a copy with an identity is complete.
func (c *copyFolder) make(repository string, names []string) error {
	if err := checkEmpty(c.path); err != nil {
		return fmt.Errorf("copy %s: %w", c.name, err)
	}
	if err := c.disk.mkdirAll(filepath.Join(c.path, stagingFolder)); err != nil {
		return err
	}
	if err := c.disk.ownFolder(c.path); err != nil {
		return err
	}
	for _, name := range []string{auditsFolder, quarantineFolder, rootFolder} {
		if err := c.disk.mkdirAll(filepath.Join(c.path, name)); err != nil {
			return err
		}
	}
	if err := c.makeRoot(); err != nil {
		return err
	}
	return c.sign(repository, names)
}

// sign writes the identity of this copy and its repository.
func (c *copyFolder) sign(repository string, names []string) error {
	return c.write(c.identity(repository, names))
}

func (c *copyFolder) identity(repository string, names []string) copyIdentity {
	return copyIdentity{Format: 1, Repository: repository, Name: c.name, Names: names,
		Catalogue: c.disk.catalogue, Permissions: c.disk.asked, Rules: c.disk.rules}
}

// write writes the identity.
func (c *copyFolder) write(id copyIdentity) error {
	text, err := json.MarshalIndent(id, "", "  ")
	if err != nil {
		return err
	}
	if c.isFar() {
		if c.farErr != nil {
			return c.farErr
		}
		ctx, cancel := context.WithTimeout(context.Background(), c.silence.patience)
		defer cancel()
		return c.far.Replace(ctx, copyFile, append(text, '\n'))
	}
	return c.disk.replaceFile(filepath.Join(c.path, copyFile), append(text, '\n'), workingFile)
}

// makeRoot writes an empty OCFL storage root: its declaration and its layout (OCFL 1.1 clause 4.1).
func (c *copyFolder) makeRoot() error {
	files := ocfl.LayoutFiles()
	name, content := ocfl.RootDeclaration()
	files[name] = content
	for _, name := range sortedKeys(files) {
		path := filepath.Join(c.root(), filepath.FromSlash(name))
		if err := c.disk.mkdirAll(filepath.Dir(path)); err != nil {
			return err
		}
		if err := c.disk.writeFile(path, files[name], workingFile); err != nil {
			return err
		}
		if err := c.disk.syncDir(filepath.Dir(path)); err != nil {
			return err
		}
	}
	return nil
}

// names returns the names of copies.
func names(copies []*copyFolder) []string {
	list := make([]string, 0, len(copies))
	for _, c := range copies {
		list = append(list, c.name)
	}
	return list
}

// stagedNames lists the entries of staging.
func (c *copyFolder) stagedNames() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(c.path, stagingFolder))
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, nil
}

// validName reports whether a copy can have this name: the name appears in events, reports and file
// names.
func validName(name string) bool {
	return name != "" && len(name) <= 64 && !strings.HasPrefix(name, ".") &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
