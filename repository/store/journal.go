package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// journalState is the progress of a change.
type journalState string

const (
	begun     journalState = "begun"     // nothing is in place: recovery removes the staged files
	committed journalState = "committed" // all copies are staged, synced and read back: recovery moves them into place
)

// journalKind is the kind of a change.
type journalKind string

const (
	kindIngest journalKind = "ingest" // a new object, or a new version
	kindRepair journalKind = "repair" // a complete object that replaces a damaged or missing one
	kindEvents journalKind = "events" // events of objects that stay as they are; see recordEvents
	kindRefill journalKind = "refill" // objects that copies lack; a note of events follows it. See refillBatch
)

// journal is the note of one change to one object, in journal/KEY.json. An object has at most one,
// because it is written under the object's lock. A process that holds the lock and finds a note
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
	Previous  string       `json:"previous"`  // SHA-512 of the root inventory before; "" for a new object
	Inventory string       `json:"inventory"` // SHA-512 of the root inventory after
	Copies    []string     `json:"copies"`    // names of the copies to change
	Started   time.Time    `json:"started"`
	By        Holder       `json:"by"`

	Events    []noteEvent `json:"events,omitempty"`    // event files that are not staged
	Register  *noteLeaves `json:"register,omitempty"`  // of a decided change, if there is a register
	Signature string      `json:"signature,omitempty"` // likewise; see seal
}

// check refuses a note that could lead outside the repository, because its names become paths.
func (j *journal) check() error {
	switch {
	case j.Format != 1:
		return fmt.Errorf("format %d is unknown to this program", j.Format)
	case j.Kind == kindEvents && (j.State != committed || j.Register == nil || !isToken(j.Tx)):
		return errors.New("its events are not decided")
	case j.Kind == kindEvents:
		return j.checkEvents()
	case j.Kind == kindRefill && (j.State != begun || !isToken(j.Tx)):
		return errors.New("it is no refill that has begun")
	case j.Kind == kindRefill:
		return nil
	case j.Kind != kindIngest && j.Kind != kindRepair:
		return fmt.Errorf("kind %q is unknown", j.Kind)
	case j.State != begun && j.State != committed:
		return fmt.Errorf("state %q is unknown", j.State)
	case !isToken(j.Tx):
		return fmt.Errorf("tx %q is not a token", j.Tx)
	case j.Package == "" || j.Object == "":
		return errors.New("it names no package")
	case j.Path == "" || !filepath.IsLocal(filepath.FromSlash(j.Path)):
		return fmt.Errorf("path %q is not below a storage root", j.Path)
	case j.Version < 1:
		return fmt.Errorf("version %d is invalid", j.Version)
	}
	return j.checkEvents()
}

// checkEvents refuses names of event files that could lead outside the logs of an object.
func (j *journal) checkEvents() error {
	for _, e := range j.Events {
		if !filepath.IsLocal(filepath.FromSlash(e.Path)) || e.File != filepath.Base(e.File) ||
			strings.HasPrefix(e.File, ".") {
			return fmt.Errorf("event %q of %q is not a file in the logs of an object", e.File, e.Path)
		}
	}
	return nil
}

// isToken reports whether s has the form of newToken's results, and is safe as a file name.
func isToken(s string) bool {
	return s != "" && strings.Trim(s, "0123456789abcdef-") == ""
}

// parseJournal parses a note.
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

// fewEvents is the number of events up to which a note has indents.
const fewEvents = 8

func (s *Store) journalPath(key string) string {
	return filepath.Join(s.root, journalFolder, key+noteEnd)
}

func (j *journal) marshal() ([]byte, error) {
	if len(j.Events) > fewEvents {
		text, err := json.Marshal(j)
		return append(text, '\n'), err
	}
	text, err := json.MarshalIndent(j, "", "  ")
	return append(text, '\n'), err
}

// writeJournal makes the note durable; from then on recovery follows it.
func (s *Store) writeJournal(key string, j *journal) error {
	text, err := j.marshal()
	if err != nil {
		return err
	}
	if err := s.disk.replaceFile(s.journalPath(key), text, workingFile); err != nil {
		return fmt.Errorf("writing the journal of %s: %w", j.Package, err)
	}
	return nil
}

// commit makes the decision for a change durable, with its leaves. Its error means that nothing is
// decided, and the change is dropped. Only an [*UnplacedError] means that the disk failed so that the
// decision may be on it, or may not be: then nothing more is changed, and the next Open follows the note as
// it is then.
func (s *Store) commit(ctx context.Context, key string, j *journal, list *leaves) error {
	decided := *j
	decided.State = committed
	if err := s.seal(ctx, &decided, list); err != nil {
		return err
	}
	if err := s.stageNote(&decided); err != nil {
		return err
	}
	if err := s.writeJournal(key, &decided); err != nil {
		now, readErr := s.readJournal(key)
		if readErr == nil && (now == nil || now.State != committed) {
			return err
		}
		if readErr == nil {
			readErr = s.disk.syncDir(filepath.Dir(s.journalPath(key)))
		}
		if readErr != nil {
			return &UnplacedError{ID: j.Package, Err: errors.Join(err, readErr)}
		}
	}
	*j = decided
	return nil
}

// undo drops a change that failed with an error, unless the change may be decided.
func (s *Store) undo(key string, j *journal, err error) error {
	var unplaced *UnplacedError
	if errors.As(err, &unplaced) {
		return err
	}
	return errors.Join(err, s.drop(key, j))
}

// maxJournal bounds a note that is read, in bytes. It has the texts of events.
const maxJournal = 256 << 20

// readJournal returns the note with this key, or nil if none exists. A note that cannot be read is a
// *noteError.
func (s *Store) readJournal(key string) (*journal, error) {
	path := s.journalPath(key)
	text, err := readSmall(path, maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if denied(err) {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	if err != nil {
		return nil, &noteError{path, err}
	}
	j, err := parseJournal(text)
	if err != nil {
		return nil, &noteError{path, err}
	}
	return j, nil
}

func (s *Store) removeJournal(key string) error {
	if err := s.disk.removeAll(s.journalPath(key)); err != nil {
		return fmt.Errorf("removing the journal: %w", err)
	}
	return nil
}

// noteEnd ends the name of a note, behind its key.
const noteEnd = ".json"

// journalKeys lists the keys of the existing notes.
func (s *Store) journalKeys() ([]string, error) { return s.journalNames("", noteEnd) }

// unfinishedNotes lists the keys of notes that have no name yet: their writer is at work, or was killed.
func (s *Store) unfinishedNotes() ([]string, error) {
	before, after, _ := strings.Cut(tempName("*"+noteEnd), "*")
	return s.journalNames(before, after)
}

// journalNames lists the files of the journal by the part of their names between two others.
func (s *Store) journalNames(before, after string) (keys []string, err error) {
	entries, err := os.ReadDir(filepath.Join(s.root, journalFolder))
	if err != nil {
		return nil, fmt.Errorf("reading the journal folder: %w", err)
	}
	for _, e := range entries {
		key, begins := strings.CutPrefix(e.Name(), before)
		key, ends := strings.CutSuffix(key, after)
		if begins && ends && !strings.HasPrefix(key, ".") {
			keys = append(keys, key)
		}
	}
	return keys, nil
}
