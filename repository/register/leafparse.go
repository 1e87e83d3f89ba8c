package register

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

var errLeaf = errors.New("the leaf does not have the form of its kind")

// Parse is the inverse of [Marshal]. Each leaf has exactly one form: any other bytes are an error.
// Forms and kinds of later versions of Quire are [Unknown].
func Parse(b []byte) (Leaf, error) {
	if len(b) < headSize || len(b) > maxLeaf {
		return nil, fmt.Errorf("register: a leaf of %d bytes: %w", len(b), errLeaf)
	}
	if isUnknown(b) {
		return Unknown{Raw: append([]byte(nil), b...)}, nil
	}
	r := &cutter{rest: b[2:]}
	micros := r.number(8)
	if micros > uint64(maxMicros) {
		return nil, fmt.Errorf("register: time %d: %w", micros, errLeaf)
	}
	leaf := r.body(Kind(b[1]), time.UnixMicro(int64(micros)).UTC())
	if r.short || len(r.rest) > 0 {
		return nil, fmt.Errorf("register: a leaf of kind %d with %d bytes: %w", b[1], len(b), errLeaf)
	}
	if _, err := Marshal(leaf); err != nil { // the rules on values
		return nil, err
	}
	return leaf, nil
}

// isUnknown reports whether a leaf is of a later form or kind.
func isUnknown(b []byte) bool {
	return len(b) >= headSize && len(b) <= maxLeaf &&
		(b[0] != form || Kind(b[1]) < VersionKind || Kind(b[1]) > TombstoneKind)
}

// cutter cuts fields from the beginning of a leaf.
type cutter struct {
	rest  []byte
	short bool
}

func (r *cutter) cut(n int) []byte {
	if len(r.rest) < n {
		r.short = true
		return make([]byte, n)
	}
	field := r.rest[:n]
	r.rest = r.rest[n:]
	return field
}

// number reads a big-endian number.
func (r *cutter) number(size int) uint64 {
	var wide [8]byte
	copy(wide[8-size:], r.cut(size))
	return binary.BigEndian.Uint64(wide[:])
}

func (r *cutter) digest() Digest { return Digest(r.cut(len(Digest{}))) }

func (r *cutter) words() string { return string(r.cut(int(r.number(1)))) }

// body reads the fields after the head.
func (r *cutter) body(k Kind, at time.Time) Leaf {
	switch k {
	case VersionKind:
		return Version{Time: at, Object: r.digest(), Number: uint32(r.number(4)), Inventory: r.digest()}
	case EventKind:
		return Event{Time: at, Object: r.digest(), File: r.digest(), Type: r.words()}
	case BatchKind:
		return Batch{Time: at, Run: [16]byte(r.cut(16)), Root: r.digest(), Lines: r.number(8), Objects: r.number(8),
			Problems: r.number(8), Type: r.words()}
	case KeyKind:
		return Key{Time: at, Link: Link(r.number(1)), Public: [32]byte(r.cut(32)), Signature: [64]byte(r.cut(64))}
	case SettingKind:
		return Setting{Time: at, Digest: r.digest(), Name: r.words()}
	default:
		return Tombstone{Time: at, Object: r.digest(), Record: r.digest()}
	}
}
