package research

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"hash/fnv"
	"maps"
	"slices"

	"quire/holdings"
	"quire/holdings/captures"
)

// scan is the result of one pass over the index of captures: for each package, a digest of the captures
// that are open to the readers.
type scan struct {
	packages map[string]*scanned
	// closed is a digest of the captures that are not open: when it changes, other URLs may be named
	closed hash.Hash
}

// scanned is a package with open captures.
type scanned struct {
	months map[string]int64 // the number of open captures by month: "200403"
	state  hash.Hash
}

// lookThrough judges every capture of the repository.
func lookThrough(ctx context.Context, h *holdings.Holdings, who holdings.Reader) (*scan, error) {
	s := &scan{packages: map[string]*scanned{}, closed: fnv.New128a()}
	decide := h.Judging()
	n := 0
	var line []byte
	staff := holdings.Reader{Class: holdings.Staff}
	for c, err := range h.Captures(ctx, staff, captures.Query{}) {
		if err != nil {
			return nil, err
		}
		if n++; n%4096 == 0 {
			decide = h.Judging() // rules and clock of this moment
		}
		line = identity(line[:0], c.Capture)
		if len(c.Timestamp) != 14 || !decide(who, c.Capture).Allowed {
			_, _ = s.closed.Write(line)
			continue
		}
		p := s.packages[c.Package]
		if p == nil {
			p = &scanned{months: map[string]int64{}, state: fnv.New128a()}
			s.packages[c.Package] = p
		}
		p.months[c.Timestamp[:6]]++
		_, _ = p.state.Write(line)
	}
	return s, nil
}

// identity appends the identity of a capture: the content of a package does not change within a version.
func identity(b []byte, c *captures.Capture) []byte {
	b = append(b, c.Key...)
	b = append(b, 0)
	b = append(b, c.Timestamp...)
	b = append(b, c.Package...)
	b = append(b, 0)
	b = append(b, c.Record.Container...)
	b = binary.BigEndian.AppendUint64(b, uint64(c.Record.Order))
	if len(c.Record.Segments) > 0 { // others may have come
		b = append(b, c.Record.SHA256...)
	}
	if c.Payload != nil { // a revisit shows status and type of its payload
		b = append(b, c.Payload.SHA256...)
		b = binary.BigEndian.AppendUint64(b, uint64(c.Status))
	}
	return b
}

// seal returns a digest that shows nothing of its content without the key: closed captures are part of it.
func seal(key []byte, parts ...any) string {
	m := hmac.New(sha256.New, key)
	for _, p := range parts {
		text, err := json.Marshal(p)
		if err != nil { // only for types that the callers below do not use
			text = fmt.Append(nil, p)
		}
		_, _ = m.Write(append(text, 0))
	}
	return hex.EncodeToString(m.Sum(nil)[:16])
}

// monthsOf returns the months of a package, in order.
func (p *scanned) monthsOf() []string {
	if p == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(p.months))
}

func (p *scanned) sum() []byte {
	if p == nil {
		return nil
	}
	return p.state.Sum(nil)
}
