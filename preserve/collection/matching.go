package collection

import (
	"bytes"
	"encoding/json"
	"path"

	"quire/internal/extsort"
	"quire/model"
)

// entry is an expected or a held container.
type entry struct {
	Group    int       `json:"g,omitempty"` // of the harvest that expects it
	Expected *Expected `json:"e,omitempty"`
	Held     *Held     `json:"h,omitempty"`
}

// matching compares expected and held containers in three rounds. The first round matches by name.
// The second round matches by digest, under any name. The third round matches the rest by name, to
// distinguish changed containers from missing containers.
type matching struct {
	temp   string
	sorter *extsort.Sorter
}

func newMatching(temp string) *matching {
	m := &matching{temp: temp}
	m.sorter = m.next()
	return m
}

func (m *matching) next() *extsort.Sorter { return extsort.New(extsort.Options{Dir: m.temp}) }

func (m *matching) close() { _ = m.sorter.Close() }

func (m *matching) expect(group int, e Expected) error {
	return add(m.sorter, byName, entry{Group: group, Expected: &e})
}

func (m *matching) hold(h Held) error { return add(m.sorter, byName, entry{Held: &h}) }

func add(s *extsort.Sorter, by func(entry) string, e entry) error {
	value, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return s.Add([]byte(by(e)), value)
}

// byName returns the name without folders: a package may keep containers in folders that the list
// does not mention.
func byName(e entry) string {
	if e.Held != nil {
		return path.Base(e.Held.Path)
	}
	return path.Base(e.Expected.Name)
}

// byDigest returns the SHA-512. A container without one keeps its name as key, so no large pile
// forms.
func byDigest(e entry) string {
	var digest string
	if e.Held != nil {
		digest = e.Held.SHA512
	} else {
		digest = sha512Of(e.Expected)
	}
	if digest == "" {
		return "\x00" + byName(e)
	}
	return digest
}

func sha512Of(e *Expected) string {
	if e.Digest.Algorithm == model.SHA512 {
		return e.Digest.Value
	}
	return ""
}

func (m *matching) run(v *validation) error {
	for _, round := range []struct {
		match func(*validation, *pile)
		next  func(entry) string
	}{{sameName, byDigest}, {sameDigest, byName}, {sameNameLeft, nil}} {
		var next *extsort.Sorter
		if round.next != nil {
			next = m.next()
		}
		err := m.round(v, round.match, func(e entry) error { return add(next, round.next, e) })
		closing := m.sorter.Close()
		if next != nil {
			m.sorter = next
		}
		if err != nil {
			return err
		}
		if closing != nil {
			return closing
		}
	}
	return nil
}

// pile is all entries with the same key.
type pile struct {
	expected, held []entry // entries not matched yet
}

// round visits the piles.
func (m *matching) round(v *validation, match func(*validation, *pile), left func(entry) error) error {
	var p pile
	var at []byte
	flush := func() error {
		match(v, &p)
		for _, list := range [][]entry{p.expected, p.held} {
			for _, e := range list {
				if err := left(e); err != nil {
					return err
				}
			}
		}
		p = pile{}
		return nil
	}
	err := m.sorter.Each(func(key, value []byte) error {
		if !bytes.Equal(key, at) {
			if err := flush(); err != nil {
				return err
			}
			at = append(at[:0], key...)
		}
		var e entry
		if err := json.Unmarshal(value, &e); err != nil {
			return err
		}
		if e.Held != nil {
			p.held = append(p.held, e)
		} else {
			p.expected = append(p.expected, e)
		}
		return v.ctx.Err()
	})
	if err != nil {
		return err
	}
	return flush()
}

// sameName matches by digest if there is one to compare, otherwise by size if known.
func sameName(v *validation, p *pile) {
	clear(v.last)
	p.pair(func(e *Expected) string { return sha512Of(e) }, func(h *Held) string { return h.SHA512 }, v.found)
	p.again(v)
	p.pair(sizeOf, func(h *Held) string { return text(h.Size) }, v.foundUnverified)
	p.pair(anySize, func(*Held) string { return "any" }, v.foundUnverified)
}

// sizeOf returns the size of a container without a comparable digest; "" if not known.
func sizeOf(e *Expected) string {
	if sha512Of(e) != "" || e.Size < 0 {
		return ""
	}
	return text(e.Size)
}

func anySize(e *Expected) string {
	if sha512Of(e) != "" || e.Size >= 0 {
		return ""
	}
	return "any"
}

// sameDigest matches containers with different names.
func sameDigest(v *validation, p *pile) {
	clear(v.last)
	p.pair(func(e *Expected) string { return sha512Of(e) }, func(h *Held) string { return h.SHA512 }, v.foundRenamed)
	p.again(v)
}

// sameNameLeft reports containers that differ, are missing, or are unexpected.
func sameNameLeft(v *validation, p *pile) {
	p.pair(func(*Expected) string { return "any" }, func(*Held) string { return "any" }, v.differs)
	for _, e := range p.expected {
		v.missing(e)
	}
	for _, e := range p.held {
		v.extra(e.Held)
	}
	*p = pile{}
}

// pair removes entries with the same property, one for one. Entries without it ("") stay.
func (p *pile) pair(ofExpected func(*Expected) string, ofHeld func(*Held) string, found func(e entry, h *Held)) {
	places := map[string][]int{}
	for i, h := range p.held {
		if s := ofHeld(h.Held); s != "" {
			places[s] = append(places[s], i)
		}
	}
	taken := map[int]bool{}
	left := p.expected[:0]
	for _, e := range p.expected {
		s := ofExpected(e.Expected)
		if at := places[s]; s != "" && len(at) > 0 {
			places[s] = at[1:]
			taken[at[0]] = true
			found(e, p.held[at[0]].Held)
			continue
		}
		left = append(left, e)
	}
	p.expected = left
	p.drop(taken)
}

func (p *pile) drop(taken map[int]bool) {
	left := p.held[:0]
	for i, h := range p.held {
		if !taken[i] {
			left = append(left, h)
		}
	}
	p.held = left
}
