package register

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// Kind names the kind of a leaf: the second byte of its form.
type Kind byte

// The kinds of leaves.
const (
	VersionKind   Kind = 1 // a version of an object was stored
	EventKind     Kind = 2 // an event file was written
	BatchKind     Kind = 3 // a run over many objects: an audit, or copies
	KeyKind       Kind = 4 // the key that signs from here on
	SettingKind   Kind = 5 // a document of rules or policy is in force
	TombstoneKind Kind = 6 // an object was removed for good
)

// form is the version of the form of leaves: their first byte.
const form = 1

// Limits of a leaf, in bytes.
const (
	maxLeaf  = math.MaxUint16 // c2sp.org/tlog-tiles: the length has 16 bits
	maxWords = 64             // a type or name
	headSize = 10             // form, kind, time
)

// Leaf is one entry of the register: [Version], [Event], [Batch], [Key], [Setting], [Tombstone], or
// [Unknown] for an entry of a later version of Quire.
type Leaf interface {
	kind() Kind
	at() time.Time
	appendBody(b []byte) ([]byte, error)
}

// Version records a stored version of an object.
type Version struct {
	Time      time.Time // of storing, in whole microseconds
	Object    Digest    // Salt.Object of the object's id
	Number    uint32    // 1 for v1
	Inventory Digest    // Salt.Inventory of the SHA-512 of the version's inventory
}

// Event records the file of one event.
type Event struct {
	Time   time.Time // of the event, in whole microseconds
	Object Digest    // Salt.Object of the object's id
	File   Digest    // Salt.Event of the bytes of the file
	Type   string    // of the event: letters, digits, space, dot, hyphen, low line; at most 64
}

// Batch records one run over many objects. Its lines are in a file outside the register.
type Batch struct {
	Time     time.Time // of the end, in whole microseconds
	Run      [16]byte  // id of the run
	Root     Digest    // Run.Root: the digest over the lines of the run's file
	Lines    uint64
	Objects  uint64
	Problems uint64
	Type     string // of the event that each line stands for, as in Event
}

// Link says how a key follows the one before it.
type Link byte

// The links between keys.
const (
	FirstKey    Link = 0 // the register begins with this key
	RotatedKey  Link = 1 // the key before it signed this one
	UnlinkedKey Link = 2 // the key before it was lost: nothing proves that the owner is the same
)

// Key names the key that signs the checkpoints from this leaf on.
type Key struct {
	Time      time.Time // in whole microseconds
	Link      Link
	Public    [32]byte // Ed25519
	Signature [64]byte // RotatedKey: by the key before it, over rotationText; else zero
}

// Setting records that a document is in force from now on.
type Setting struct {
	Time   time.Time // in whole microseconds
	Digest Digest    // Salt.Setting of the document
	Name   string    // of the document, by the rule of Event.Type
}

// Tombstone records that an object was removed for good.
type Tombstone struct {
	Time   time.Time // in whole microseconds
	Object Digest    // Salt.Object of the object's id; the salt is then forgotten
	Record Digest    // Salt.Record of the document on the removal, with a salt of its own
}

// Unknown is an entry in a form or of a kind that this version of Quire does not know.
type Unknown struct{ Raw []byte }

func (Version) kind() Kind   { return VersionKind }
func (Event) kind() Kind     { return EventKind }
func (Batch) kind() Kind     { return BatchKind }
func (Key) kind() Kind       { return KeyKind }
func (Setting) kind() Kind   { return SettingKind }
func (Tombstone) kind() Kind { return TombstoneKind }
func (u Unknown) kind() Kind { return Kind(u.Raw[1]) }

func (l Version) at() time.Time   { return l.Time }
func (l Event) at() time.Time     { return l.Time }
func (l Batch) at() time.Time     { return l.Time }
func (l Key) at() time.Time       { return l.Time }
func (l Setting) at() time.Time   { return l.Time }
func (l Tombstone) at() time.Time { return l.Time }
func (Unknown) at() time.Time     { return time.Time{} }

// Marshal returns the canonical form of a leaf. It fails if a value has no form: a time outside the
// years 1970 to 9999 or with nanoseconds, a version 0, a type with other characters.
func Marshal(l Leaf) ([]byte, error) {
	if u, ok := l.(Unknown); ok {
		if !isUnknown(u.Raw) {
			return nil, errors.New("register: the leaf is not of an unknown kind")
		}
		return u.Raw, nil
	}
	micros := l.at().UnixMicro()
	if micros < 0 || micros > maxMicros || !time.UnixMicro(micros).Equal(l.at()) {
		return nil, fmt.Errorf("register: the time %v is not a whole microsecond of 1970 to 9999", l.at())
	}
	b := append(make([]byte, 0, 160), form, byte(l.kind()))
	b = binary.BigEndian.AppendUint64(b, uint64(micros))
	return l.appendBody(b)
}

// maxMicros is the last microsecond of the year 9999.
var maxMicros = time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC).UnixMicro()

func (l Version) appendBody(b []byte) ([]byte, error) {
	if l.Number == 0 {
		return nil, errors.New("register: versions begin with 1")
	}
	b = append(b, l.Object[:]...)
	b = binary.BigEndian.AppendUint32(b, l.Number)
	return append(b, l.Inventory[:]...), nil
}

func (l Event) appendBody(b []byte) ([]byte, error) {
	b = append(b, l.Object[:]...)
	b = append(b, l.File[:]...)
	return appendWords(b, l.Type)
}

func (l Batch) appendBody(b []byte) ([]byte, error) {
	b = append(b, l.Run[:]...)
	b = append(b, l.Root[:]...)
	for _, n := range []uint64{l.Lines, l.Objects, l.Problems} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return appendWords(b, l.Type)
}

func (l Key) appendBody(b []byte) ([]byte, error) {
	if l.Link > UnlinkedKey || l.Link != RotatedKey && l.Signature != [64]byte{} {
		return nil, errors.New("register: only a rotated key has a signature")
	}
	b = append(b, byte(l.Link))
	b = append(b, l.Public[:]...)
	return append(b, l.Signature[:]...), nil
}

func (l Setting) appendBody(b []byte) ([]byte, error) {
	return appendWords(append(b, l.Digest[:]...), l.Name)
}

func (l Tombstone) appendBody(b []byte) ([]byte, error) {
	return append(append(b, l.Object[:]...), l.Record[:]...), nil
}

func (u Unknown) appendBody([]byte) ([]byte, error) { return u.Raw, nil }

// appendWords appends a length of one byte and the text.
func appendWords(b []byte, s string) ([]byte, error) {
	if !isWords(s) {
		return nil, fmt.Errorf("register: %q is not a type: use 1 to %d letters, digits, blanks or . _ -", s, maxWords)
	}
	return append(append(b, byte(len(s))), s...), nil
}

// isWords reports whether a text may stand in a leaf. No URL passes: it needs a colon or slash.
func isWords(s string) bool {
	if s == "" || len(s) > maxWords || s[0] == ' ' || s[len(s)-1] == ' ' {
		return false
	}
	for _, c := range []byte(s) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && c != ' ' && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}
