package reconcile

import (
	"fmt"
	"strings"
)

// joinIndex matches entries with a wrong place to records of the same second without an entry.
func (m *match) joinIndex() error {
	kept := m.entries[:0]
	for _, e := range m.entries {
		entry := &m.g.all[e]
		found := -1
		for n, u := range m.unindexed {
			if u >= 0 && entry.at != noTime && m.g.all[u].second() == entry.second() {
				found = n
				break
			}
			if n == maxTries {
				break
			}
		}
		record := m.recordOf(entry)
		if found >= 0 {
			record = &m.g.all[m.unindexed[found]]
			m.unindexed[found] = -1
		}
		if record == nil {
			kept = append(kept, e)
			continue
		}
		m.r.out.Joined.IndexTime++
		m.r.index.kinds[indexKind(record)] = true
		detail := fmt.Sprintf("the index has it at byte %d", entry.offset)
		if err := m.r.differ(IndexDiffers, m.r.whyMoved(entry, record), m.r.caseOf(record, detail)); err != nil {
			return err
		}
	}
	m.entries = kept
	return nil
}

// recordOf finds the record of an entry in its own container, even if another entry has it too:
// there may be two indexes.
func (m *match) recordOf(entry *sighting) *sighting {
	for n, i := range m.records {
		if rec := &m.g.all[i]; entry.at != noTime && rec.second() == entry.second() &&
			rec.container == entry.container && rec.container >= 0 {
			return rec
		}
		if n == maxTries {
			break
		}
	}
	return nil
}

// whyMoved returns the reason why the place of an entry differs from its record.
func (r *run) whyMoved(entry, record *sighting) *Reason {
	c := r.shelf.all[record.container]
	if c.gzipped && (c.placed == 0 || entry.is(isInflated)) {
		return reasonCompressed
	}
	if ahead := record.offset - entry.offset; ahead > 0 && ahead <= lineEnds {
		return reasonLineBreak
	}
	for _, before := range r.shelf.all {
		if before.present && before != c && before.size == entry.offset {
			return reasonRollover
		}
	}
	return nil
}

// explainEntries explains entries without a record.
func (m *match) explainEntries() error {
	for _, e := range m.entries {
		s := &m.g.all[e]
		why, detail := m.whyNoRecordOf(s)
		if why == nil {
			continue
		}
		if err := m.r.differ(IndexWithoutRecord, why, m.r.caseOf(s, detail)); err != nil {
			return err
		}
	}
	return nil
}

// whyNoRecordOf returns the reason why an entry has no record; nil if there is one after all.
func (m *match) whyNoRecordOf(s *sighting) (*Reason, string) {
	if s.container < 0 || s.offset < 0 {
		return m.entryWithoutPlace(s)
	}
	c := m.r.shelf.all[s.container]
	lost := c.lost
	why, detail := m.r.whyNotIn(c, s)
	switch {
	case m.hasLineOf(s) || describes(s.uri): // already counted with the line, or not a capture
		c.lost = lost
	case why.Class == Lost:
		m.r.loseCapture()
	}
	return why, detail
}

// describes reports whether a URL names the description of a container instead of a capture.
func describes(uri string) bool {
	return strings.HasPrefix(uri, "filedesc:") || strings.HasPrefix(uri, "warcinfo:")
}

// entryWithoutPlace looks for the record of an entry without a place; it returns nil if there is
// one.
func (m *match) entryWithoutPlace(s *sighting) (*Reason, string) {
	for _, i := range m.records {
		if m.g.all[i].second() == s.second() {
			return nil, ""
		}
	}
	return reasonNone, "the index names no place"
}

func (m *match) hasLineOf(s *sighting) bool {
	for _, i := range m.lines {
		if m.g.all[i].second() == s.second() {
			return true
		}
	}
	return false
}

// explainUnindexed explains records without an index entry.
func (m *match) explainUnindexed() error {
	for _, u := range m.unindexed {
		if u < 0 {
			continue
		}
		s := &m.g.all[u]
		c := m.r.shelf.all[s.container]
		why := reasonNone
		switch {
		case !m.r.index.kinds[indexKind(s)]:
			why = reasonKindUnindexed
		case s.offset > c.lastEntry:
			why = reasonIndexEnds
		}
		if err := m.r.differ(RecordWithoutIndex, why, m.r.caseOf(s, "")); err != nil {
			return err
		}
	}
	return nil
}
