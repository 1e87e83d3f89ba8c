package inspect

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"

	"quire/format/fault"
	"quire/model"
)

// Set compares the records of the files of one call: repeated ids, references to records that no
// file has, and the segments of split records. Each pass with Options.Set adds its file at its end;
// several passes may run at once.
//
//	set := inspect.NewSet()
//	... inspect.File(ctx, path, inspect.Options{Set: set}) // for each file
//	findings := set.Finish()
//
// Problems within one file are findings of that file; Finish reports those that need several files.
// Ids are kept as hashes of 128 bits, 24 bytes with their position, and captures as 8 bytes. At
// most four million of each are kept; beyond that, REF-SET-FULL is reported.
type Set struct {
	options Options
	seeds   [2]maphash.Seed
	most    int // ids and references kept

	mu       sync.Mutex
	files    []string
	ids      []placed
	refs     []reference
	captures []capture
	segments []segment
	lost     int64 // ids and references beyond the limit
}

// maxSet is how many ids, and how many references, a Set keeps.
const maxSet = 4 << 20

// NewSet returns an empty Set. Its findings have the severities of the catalogue; see Set.With.
func NewSet() *Set {
	return &Set{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, most: maxSet}
}

// With applies options to the findings of Finish: their severities, Options.Finding, and
// Options.MaxFindings for Held. It returns the Set.
func (s *Set) With(o Options) *Set {
	s.options = Options{Strict: o.Strict, Policy: o.Policy, MaxFindings: o.MaxFindings, Finding: o.Finding}
	return s
}

// hashed is the stored form of an id. The seeds are random, so collisions cannot be constructed.
type hashed [2]uint64

func (s *Set) hash(id []byte) hashed {
	return hashed{maphash.Bytes(s.seeds[0], id), maphash.Bytes(s.seeds[1], id)}
}

// compare orders hashes arbitrarily, but always in the same way.
func (h hashed) compare(g hashed) int {
	return cmp.Or(cmp.Compare(h[0], g[0]), cmp.Compare(h[1], g[1]))
}

// spot is a file of the Set (24 bits) and an offset in it (40 bits).
type spot uint64

const (
	offsetBits = 40
	maxFiles   = 1 << (64 - offsetBits)
)

func spotOf(file int, offset int64) spot {
	return spot(file)<<offsetBits | spot(offset)&(1<<offsetBits-1)
}

func (p spot) file() int     { return int(p >> offsetBits) }
func (p spot) offset() int64 { return int64(p & (1<<offsetBits - 1)) }

// capture is the address and date of a record, as a hash of 64 bits. A collision would only hide a
// missing capture.
type capture uint64

// capture hashes an address, with or without angle brackets, and a date.
func (s *Set) capture(uri, date []byte) capture {
	if n := len(uri); n > 2 && uri[0] == '<' && uri[n-1] == '>' {
		uri = uri[1 : n-1]
	}
	return capture(maphash.Bytes(s.seeds[0], uri) ^ maphash.Bytes(s.seeds[1], date))
}

// placed is an id with its position.
type placed struct {
	id hashed
	at spot
}

// byID orders by id, then by position.
func byID(a, b placed) int { return cmp.Or(a.id.compare(b.id), cmp.Compare(a.at, b.at)) }

// holds reports whether the sorted ids contain the id.
func holds(ids []placed, id hashed) bool {
	i, _ := slices.BinarySearchFunc(ids, id, func(p placed, id hashed) int { return p.id.compare(id) })
	return i < len(ids) && ids[i].id == id
}

// reference is one field that names a record.
type reference struct {
	placed
	code fault.Code // reported if there is no such record
	text string     // the id; only a limited number is kept
}

// add adds the data of a pass.
func (s *Set) add(c *collected) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.files) >= maxFiles {
		s.lost += int64(len(c.ids))
		return
	}
	file := len(s.files)
	s.files = append(s.files, c.name)
	// Grow once: growing step by step would leave as much memory again as garbage.
	s.ids = slices.Grow(s.ids, min(len(c.ids), max(0, s.most-len(s.ids))))
	for _, id := range c.ids {
		if len(s.ids) < s.most {
			s.ids = append(s.ids, placed{id.id, spotOf(file, id.at.offset())})
			continue
		}
		s.lost++
	}
	for _, ref := range c.refs {
		if len(s.refs) < s.most {
			ref.at = spotOf(file, ref.at.offset())
			s.refs = append(s.refs, ref)
			continue
		}
		s.lost++
	}
	kept := min(len(c.captures), s.most-len(s.captures))
	s.captures = append(s.captures, c.captures[:kept]...)
	s.lost += int64(len(c.captures) - kept)
	for _, g := range c.segments {
		g.at = spotOf(file, g.at.offset())
		s.segments = append(s.segments, g)
	}
	s.lost += c.lost
}

// Finish compares everything, and returns the findings in the order of files and offsets. The Path
// of each finding is the path of its file.
func (s *Set) Finish() []model.Finding {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortFunc(s.ids, byID)
	slices.Sort(s.captures)
	found := []model.Finding{}
	for i := 1; i < len(s.ids); i++ {
		a, b := s.ids[i-1], s.ids[i]
		if a.id == b.id && a.at.file() != b.at.file() {
			found = append(found, s.finding(FaultIDElsewhere, b.at,
				fmt.Sprintf("the record at byte %d of %s has the same id", a.at.offset(), s.files[a.at.file()])))
		}
	}
	if s.lost == 0 { // otherwise a missing record may be one beyond the limit
		for _, r := range s.refs {
			if !r.leads(s.ids, s.captures) {
				found = append(found, s.finding(r.code, r.at, r.message()))
			}
		}
	} else {
		found = append(found, model.Finding{Code: string(FaultSetFull), Severity: s.options.severityOf(FaultSetFull),
			Message: fmt.Sprintf("%d ids and references were not compared", s.lost)})
	}
	found = append(found, s.joinSegments()...)
	slices.SortStableFunc(found, func(a, b model.Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Code, b.Code))
	})
	if tell := s.options.Finding; tell != nil {
		for _, f := range found {
			tell(f)
		}
	}
	return found
}

// Between returns Finish as a result about no single file. All findings are counted, at most
// Options.MaxFindings of each code are listed. The result is valid if none is an error, and incomplete if all errors
// are missing segments.
func (s *Set) Between() *model.Container {
	all := findings{limit: s.options.limit(), counts: map[fault.Code]int64{}}
	for _, f := range s.Finish() {
		all.count(f)
	}
	return &model.Container{Outcome: all.outcome(), Findings: all.kept, FindingCounts: all.byCode(),
		FindingsTotal: all.total}
}

// leads reports whether the target of the reference is among the given ids or captures, which are
// sorted.
func (r *reference) leads(ids []placed, captures []capture) bool {
	if r.code == FaultRefersToTarget {
		_, ok := slices.BinarySearch(captures, capture(r.id[0]))
		return ok
	}
	return holds(ids, r.id)
}

func (r *reference) message() string {
	if r.code == FaultRefersToTarget {
		return fmt.Sprintf("none of the inspected files has the capture of %.200s that the revisit refers to",
			cmp.Or(r.text, "the address"))
	}
	if r.text == "" {
		return "none of the inspected files has the record that it names"
	}
	return fmt.Sprintf("%.200s is in none of the inspected files", r.text)
}

func (s *Set) finding(code fault.Code, at spot, message string) model.Finding {
	return model.Finding{Code: string(code), Severity: s.options.severityOf(code), Path: s.files[at.file()],
		Offset: at.offset(), Message: message}
}
