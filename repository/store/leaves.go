package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"quire/repository/catalogue"
	"quire/repository/register"
)

// leaves collects the leaves of a change to one object, in the form that the register keeps.
type leaves struct {
	salt   register.Salt
	object register.Digest
	list   [][]byte
	err    error
}

func leavesOf(salt register.Salt, object string) *leaves {
	return &leaves{salt: salt, object: salt.Object(object)}
}

func (l *leaves) add(leaf register.Leaf) {
	raw, err := register.Marshal(leaf)
	l.list, l.err = append(l.list, raw), errors.Join(l.err, err)
}

// version adds a version. inventory is the SHA-512 of its inventory, in hex.
func (l *leaves) version(at time.Time, number int, inventory string) {
	sum, err := inventorySum(inventory)
	l.err = errors.Join(l.err, err)
	l.add(register.Version{Time: at.UTC().Truncate(time.Microsecond), Object: l.object, Number: uint32(number),
		Inventory: l.salt.Inventory(sum)})
}

func inventorySum(inventory string) (sum [64]byte, err error) {
	b, err := hex.DecodeString(inventory)
	if err != nil || len(b) != len(sum) {
		return sum, fmt.Errorf("%q is not a SHA-512", inventory)
	}
	return [64]byte(b), nil
}

// event adds an event by its file.
func (l *leaves) event(e catalogue.Event, text []byte) {
	l.add(register.Event{Time: e.Time.UTC().Truncate(time.Microsecond), Object: l.object, File: l.salt.Event(text),
		Type: leafType(e.Type)})
}

// events adds the events in the given folders of the object.
func (l *leaves) events(dirs []string) {
	eachEvent(dirs, func(_ string, text []byte) bool {
		if e, err := parseEvent(text); err == nil {
			l.event(e.Event, text)
		}
		return true
	})
}

// setting adds the newest text of a document of the repository.
func (l *leaves) setting(at time.Time, name string, text []byte) {
	l.add(register.Setting{Time: at.UTC().Truncate(time.Microsecond), Digest: l.salt.Setting(text), Name: name})
}

// leafType returns the type of an event in the form of a leaf. An event that another program wrote may have
// any type.
func leafType(kind string) string {
	kind = strings.Map(func(c rune) rune {
		if 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.ContainsRune(" ._-", c) {
			return c
		}
		return '-'
	}, kind)
	if kind = strings.Trim(kind[:min(len(kind), 64)], " "); kind == "" {
		return "event"
	}
	return kind
}

// noteLeaves are the leaves of a decided change, in its note. So a repeated append finds them equal.
type noteLeaves struct {
	From   int64    `json:"from"` // the size of the register when the change was decided, or smaller
	Leaves [][]byte `json:"leaves"`
}

// noteEvent is an event file that a change adds to an object.
type noteEvent struct {
	Object string `json:"object"`
	Path   string `json:"path"` // of the object below a storage root
	File   string `json:"file"`
	Text   string `json:"text"`
}

// notePurpose is the purpose of the signature of a note.
const notePurpose = "journal"

// seal completes the note of a decided change with its leaves, and signs it. Recovery would enter the leaves
// of a forged note: it follows only notes that the repository's key signed. Without a register, nothing is
// done.
func (s *Store) seal(ctx context.Context, j *journal, list *leaves) error {
	if !s.registered() {
		return nil
	}
	if list.err != nil {
		return list.err
	}
	return s.withSigner(ctx, func(w *register.Writer) error {
		if j.Register == nil {
			j.Register = &noteLeaves{From: w.Head().Size}
		}
		j.Register.Leaves = append(j.Register.Leaves, list.list...)
		text, err := j.signed()
		if err != nil {
			return err
		}
		signature, err := w.Sign(notePurpose, text)
		j.Signature = string(signature)
		return err
	})
}

// withSigner runs do with the register, which another process may append to meanwhile.
func (s *Store) withSigner(ctx context.Context, do func(*register.Writer) error) error {
	s.ledger.mu.Lock()
	if w := s.ledger.writer; w != nil {
		defer s.ledger.mu.Unlock()
		return do(w)
	}
	s.ledger.mu.Unlock()
	return s.withRegister(ctx, do)
}

// signed returns the text of a note that its signature covers: the note without the signature.
func (j *journal) signed() ([]byte, error) {
	unsigned := *j
	unsigned.Signature = ""
	return json.Marshal(unsigned)
}

// sealed returns an error if the note of a decided change is not signed by a key of the register.
func (s *Store) sealed(ctx context.Context, key string, j *journal) error {
	if !s.registered() {
		return nil
	}
	return s.withRegister(ctx, func(w *register.Writer) error {
		text, err := j.signed()
		if err == nil && !w.Signed([]byte(j.Signature), notePurpose, text) {
			err = &noteError{s.journalPath(key), errUnsealed}
		}
		return err
	})
}

var errUnsealed = errors.New("the repository's key did not sign it")
