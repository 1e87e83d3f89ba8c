package bare

import (
	"fmt"
	"strings"

	"quire/model"
	"quire/source/internal/facts"
)

// field is the prefix for facts that are fields of the first record.
const field = "field "

// maxValues bounds the distinct values kept for one fact.
const maxValues = 50

// tally counts the containers with the same value, so that a thousand containers give one line of
// evidence.
type tally struct {
	order  []*valueCount
	values map[string]map[string]*valueCount // by fact and value
	more   map[string]int                    // number of values beyond the limit
}

type valueCount struct {
	fact, value string
	first       string // first container with this value
	others      int
}

func newTally() tally {
	return tally{values: map[string]map[string]*valueCount{}, more: map[string]int{}}
}

func (t *tally) add(fact, value, file string) {
	if value == "" {
		return
	}
	known := t.values[fact]
	if known == nil {
		known = map[string]*valueCount{}
		t.values[fact] = known
	}
	switch s := known[value]; {
	case s != nil:
		s.others++
	case len(known) == maxValues:
		t.more[fact]++
	default:
		known[value] = &valueCount{fact, value, file, 0}
		t.order = append(t.order, known[value])
	}
}

// addFacts records the evidence, and facts for the fields that every crawler writes.
func (t *tally) addFacts(f *facts.Facts) {
	for _, s := range t.order {
		files := s.first
		if s.others > 0 {
			files = fmt.Sprintf("%s, and of %d more", s.first, s.others)
		}
		if name, ok := strings.CutPrefix(s.fact, field); ok {
			f.TellInfo([]model.Field{{Name: name, Value: s.value}}, files)
		} else {
			f.Note(s.fact, s.value, "first record of "+files)
		}
	}
	for _, s := range t.order {
		if n := t.more[s.fact]; n > 0 {
			f.Find(CodeMore, model.Info, "", 0, "%s has other values in %d more containers; they are not "+
				"listed", s.fact, n)
			delete(t.more, s.fact)
		}
	}
}
