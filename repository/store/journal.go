package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// journalState is how far a change has come.
type journalState string

const (
	begun     journalState = "begun"     // nothing is in place: recovery drops what was staged
	committed journalState = "committed" // all copies are staged, synced and read back: recovery puts them in place
)

// journalKind is what the change is.
type journalKind string

const (
	kindIngest journalKind = "ingest" // a new object, or a new version of one
	kindRepair journalKind = "repair" // a whole object in place of a damaged or missing one
)

// journal is the note of one change to one object, in journal/KEY.json. There is at most one for an
// object, since it is written under the object's lock; whoever holds that lock and finds a note
// knows that its writer is dead.
type journal struct {
	Format    int          `json:"format"` // 1
	Kind      journalKind  `json:"kind"`
	State     journalState `json:"state"`
	Tx        string       `json:"tx"` // names the folder below staging/ in every copy
	Package   string       `json:"package"`
	Object    string       `json:"object"`
	Path      string       `json:"path"`      // of the object below a storage root
	Version   int          `json:"version"`   // the head after the change
	Previous  string       `json:"previous"`  // SHA-512 of the root inventory before; "" when there is no object yet
	Inventory string       `json:"inventory"` // SHA-512 of the root inventory after
	Copies    []string     `json:"copies"`    // names of the copies that change
	Started   time.Time    `json:"started"`
	By        Holder       `json:"by"`
}

// check refuses a note that could lead outside the repository: the names in it become paths.
func (j *journal) check() error {
	switch {
	case j.Format != 1:
		return fmt.Errorf("format %d is not known to this program", j.Format)
	case j.Kind != kindIngest && j.Kind != kindRepair:
		return fmt.Errorf("kind %q is not known", j.Kind)
	case j.State != begun && j.State != committed:
		return fmt.Errorf("state %q is not known", j.State)
	case !isToken(j.Tx):
		return fmt.Errorf("tx %q is no token", j.Tx)
	case j.Package == "" || j.Object == "":
		return errors.New("it names no package")
	case j.Path == "" || !filepath.IsLocal(filepath.FromSlash(j.Path)):
		return fmt.Errorf("path %q is not below a storage root", j.Path)
	case j.Version < 1:
		return fmt.Errorf("version %d is none", j.Version)
	}
	return nil
}

// isToken reports whether s is what newToken makes: safe as a file name.
func isToken(s string) bool {
	return s != "" && strings.Trim(s, "0123456789abcdef-") == ""
}

// parseJournal reads a note.
func parseJournal(text []byte) (*journal, error) {
	var j journal
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, err
	}
	if err := j.check(); err != nil {
		return nil, err
	}
	return &j, nil
}

func (s *Store) journalPath(key string) string {
	return filepath.Join(s.root, journalFolder, key+".json")
}

// writeJournal makes the note durable; from then on recovery goes by it.
func (s *Store) writeJournal(key string, j *journal) error {
	text, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	if err := s.disk.replaceFile(s.journalPath(key), append(text, '\n'), workingFile); err != nil {
		return fmt.Errorf("writing the journal of %s: %w", j.Package, err)
	}
	return nil
}

// readJournal returns the note with this key, or nil when there is none.
func (s *Store) readJournal(key string) (*journal, error) {
	path := s.journalPath(key)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	j, err := parseJournal(text)
	if err != nil {
		return nil,
			fmt.Errorf("journal %s cannot be read: %w; it was written whole, so the disk is suspect: look at the "+
				"file and at staging/ in every copy before removing it", path, err)
	}
	return j, nil
}

func (s *Store) removeJournal(key string) error {
	if err := s.disk.removeAll(s.journalPath(key)); err != nil {
		return fmt.Errorf("removing the journal: %w", err)
	}
	return nil
}

// journalKeys lists the notes that are there.
func (s *Store) journalKeys() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(s.root, journalFolder))
	if err != nil {
		return nil, fmt.Errorf("reading the journal folder: %w", err)
	}
	var keys []string
	for _, e := range entries {
		if key, ok := strings.CutSuffix(e.Name(), ".json"); ok && !strings.HasPrefix(key, ".") {
			keys = append(keys, key)
		}
	}
	return keys, nil
}
