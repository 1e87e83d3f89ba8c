package ocfl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"
)

// Names that OCFL defines.
const (
	InventoryFile     = "inventory.json"                      // clause 3.5: the inventory's file name
	InventoryType     = "https://ocfl.io/1.1/spec/#inventory" // clause 3.5.1: the type of an inventory of OCFL 1.1
	DefaultContentDir = "content"                             // clause 3.3.1: the folder for the files of a version
	// clause 3.8: beside the versions, not part of the content
	LogsDir       = "logs"
	ExtensionsDir = "extensions" // clauses 3.9 and 4.4
	SHA512        = "sha512"     // clause 3.4: the recommended algorithm
	SHA256        = "sha256"     // clause 3.4: the permitted alternative
)

// MaxInventorySize is the maximum size of an inventory in bytes. An inventory is held in memory
// completely, so it needs a bound. An inventory of 200,000 files has about 63 MB, so the bound is
// far above any sensible one.
const MaxInventorySize = 512 << 20

// Inventory is the table of contents of one object (clause 3.5): the stored files, their digests,
// and the state of each version.
type Inventory struct {
	ID               string `json:"id"`
	Type             string `json:"type"`
	DigestAlgorithm  string `json:"digestAlgorithm"`
	Head             string `json:"head"`
	ContentDirectory string `json:"contentDirectory,omitempty"` // empty means "content"
	// algorithm → digest → content paths
	Fixity   map[string]map[string][]string `json:"fixity,omitempty"`
	Manifest map[string][]string            `json:"manifest"` // digest → content paths
	Versions map[string]*Version            `json:"versions"` // "v1", "v2", …
}

// Version describes one version (clause 3.5.3.1).
type Version struct {
	Created time.Time           `json:"created"`
	Message string              `json:"message,omitempty"`
	User    *User               `json:"user,omitempty"`
	State   map[string][]string `json:"state"` // digest → logical paths, the names the files had in the package
}

// User is the person or agent that made a version. Address should be a URI: mailto, or a URL that
// identifies the person.
type User struct {
	Name    string `json:"name"`
	Address string `json:"address,omitempty"`
}

// ParseInventory reads an inventory and checks all rules that need no other file. Its result is
// safe to use: no path leads out of the object, every state has its bytes in the manifest, and head
// is the highest version. The error names the first fault and its OCFL code; it is an
// [*InventoryError].
func ParseInventory(b []byte) (*Inventory, error) {
	doc := decodeInventory(b)
	checkInventory(doc)
	var found issues
	found.translate(&doc.log, doc.spec)
	if len(found.Errors) > 0 {
		found.sort()
		return nil, &InventoryError{Issues: found.Errors}
	}
	return doc.inv, nil
}

// InventoryError lists the faults that make an inventory unusable.
type InventoryError struct{ Issues []Issue }

// Error returns the first issue and the number of further issues.
func (e *InventoryError) Error() string {
	s := "OCFL inventory: " + e.Issues[0].String()
	if more := len(e.Issues) - 1; more > 0 {
		s += fmt.Sprintf(" (and %d more)", more)
	}
	return s
}

// Marshal returns the inventory as JSON: indented, keys and paths in byte order, a newline at the
// end. The same inventory always gives the same bytes, and so the same sidecar. Marshal refuses
// text that is not UTF-8, because JSON cannot hold it.
func (inv *Inventory) Marshal() ([]byte, error) {
	if err := inv.checkText(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // "&" in a file name stays readable
	enc.SetIndent("", "  ")
	if err := enc.Encode(inv.sorted()); err != nil {
		return nil, fmt.Errorf("OCFL inventory of %q: %w", inv.ID, err)
	}
	return out.Bytes(), nil
}

// ContentDir returns the name of the folder for the files inside each version.
func (inv *Inventory) ContentDir() string {
	if inv.ContentDirectory == "" {
		return DefaultContentDir
	}
	return inv.ContentDirectory
}

// VersionNames returns the names of the versions in numeric order. Invalid names come last.
func (inv *Inventory) VersionNames() []string {
	return sortVersions(slices.Collect(maps.Keys(inv.Versions)))
}

// sorted returns a copy of inv with all lists of paths in order and no null block.
func (inv *Inventory) sorted() *Inventory {
	c := *inv
	c.Manifest = sortedPaths(inv.Manifest)
	if len(inv.Fixity) > 0 {
		c.Fixity = make(map[string]map[string][]string, len(inv.Fixity))
		for algorithm, block := range inv.Fixity {
			c.Fixity[algorithm] = sortedPaths(block)
		}
	}
	c.Versions = make(map[string]*Version, len(inv.Versions))
	for name, v := range inv.Versions {
		if v != nil {
			w := *v
			w.State = sortedPaths(v.State)
			c.Versions[name] = &w
		}
	}
	return &c
}

func sortedPaths(block map[string][]string) map[string][]string {
	c := make(map[string][]string, len(block))
	for digest, paths := range block {
		c[digest] = slices.Sorted(slices.Values(paths))
	}
	return c
}

// checkText refuses text that encoding/json would silently replace: a file name that is not UTF-8
// would become another name.
func (inv *Inventory) checkText() error {
	for name, v := range inv.Versions {
		if v == nil {
			return fmt.Errorf("OCFL inventory of %q: version %q has no description", inv.ID, name)
		}
	}
	for s := range inv.texts {
		if !utf8.ValidString(s) {
			return fmt.Errorf("OCFL inventory of %q: %q: %w", inv.ID, s, ErrNotUTF8)
		}
	}
	return nil
}

// texts yields every text that comes from outside: names, paths, messages.
func (inv *Inventory) texts(yield func(string) bool) {
	blocks := []map[string][]string{inv.Manifest}
	for _, block := range inv.Fixity {
		blocks = append(blocks, block)
	}
	ok := yield(inv.ID) && yield(inv.Head) && yield(inv.ContentDirectory)
	for name, v := range inv.Versions {
		ok = ok && yield(name) && yield(v.Message)
		if v.User != nil {
			ok = ok && yield(v.User.Name) && yield(v.User.Address)
		}
		blocks = append(blocks, v.State)
	}
	for _, block := range blocks {
		for _, paths := range block {
			for _, p := range paths {
				ok = ok && yield(p)
			}
		}
	}
}

// ErrNotUTF8 reports a name that is not UTF-8: an inventory is JSON and cannot hold it. Rename the
// file, or wrap it in a container file, before storing it.
var ErrNotUTF8 = errors.New("not UTF-8, so an inventory cannot hold it")
