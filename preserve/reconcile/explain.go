package reconcile

import (
	"fmt"
	"strings"
	"time"

	"quire/format/warc"
	"quire/model"
)

// explainLines says why lines have no record.
func (m *match) explainLines() error {
	if m.r.records.content == 0 && m.r.shelf.present() == 0 && m.r.isMirror {
		return nil
	}
	for _, i := range m.lines {
		if m.partner[i] >= 0 {
			continue
		}
		s := &m.g.all[i]
		why, detail := m.whyNoRecord(i)
		if why.Class == Lost {
			m.r.out.LostCaptures++
		}
		c := m.r.caseOf(s, detail)
		if c.Container == "" && why.Class == Lost && why != reasonEndEarly {
			c.Container = detail
		}
		if err := m.r.differ(LoggedWithoutRecord, why, c); err != nil {
			return err
		}
	}
	return nil
}

// whyNoRecord looks for the reason in the order of how much it proves: what the line itself says, what another witness says of
// this capture, what is known of the containers.
func (m *match) whyNoRecord(i int) (*Reason, string) {
	s := &m.g.all[i]
	r := m.r
	for _, e := range m.entries { // an index knows in which container it was
		entry := &m.g.all[e]
		if entry.second() != s.second() || entry.container < 0 {
			continue
		}
		if why, detail := r.whyNotIn(r.shelf.all[entry.container], entry); why != reasonNone {
			return why, detail
		}
	}
	switch {
	case s.is(isUnwritten):
		return reasonUnwritten, s.note
	case s.is(isDuplicate):
		return reasonDuplicate, s.note
	case m.again != nil && m.again[i]:
		return reasonLoggedAgain, ""
	case s.content == 0:
		return reasonEmpty, ""
	case r.isMirror && s.status >= 300:
		return reasonMirror, ""
	}
	if s.container >= 0 {
		return r.whyNotIn(r.shelf.all[s.container], s)
	}
	if isLookup(s.uri) && r.records.lookups == 0 && r.records.content > 0 {
		return reasonNamesNotKept, ""
	}
	return r.whyLost(s)
}

// whyNotIn says why a record is not in the container that a witness names.
func (r *run) whyNotIn(c *container, s *sighting) (*Reason, string) {
	switch {
	case c.elsewhere != "":
		return reasonElsewhere, c.elsewhere
	case !c.present:
		c.lost++
		return reasonAbsent, c.name
	case c.cut != "":
		c.lost++
		return reasonCut, c.name
	case c.broken > 0:
		c.lost++
		return reasonDamaged, c.name
	case s.offset >= 0 && s.offset >= c.size && !c.gzipped:
		c.lost++
		return reasonCut, c.name
	}
	return reasonNone, fmt.Sprintf("it should be in %s at byte %d", c.name, s.offset)
}

// whyLost looks for a container that may have held it, when no witness names one.
func (r *run) whyLost(s *sighting) (*Reason, string) {
	if r.records.content == 0 && r.shelf.present() == 0 && len(r.missing) == 0 {
		return reasonNowhere, ""
	}
	for _, c := range r.missing {
		if c.entries == 0 || s.second() >= c.lastAt { // before that, an index says what it held, and this is not among it
			c.lost++
			return reasonAbsent, r.missingNames
		}
	}
	t := s.time()
	for _, c := range r.shelf.all {
		if c.cut != "" && !t.IsZero() && !t.Before(c.first.Truncate(time.Second)) {
			c.lost++
			return reasonCut, c.name
		}
	}
	for _, c := range r.shelf.all {
		if c.broken > 0 && (t.IsZero() || c.first.IsZero() || !t.Before(c.first.Truncate(time.Second)) && !t.After(c.last)) {
			c.lost++
			return reasonDamaged, c.name
		}
	}
	if s.at != noTime && r.records.content > 0 && s.second() > floorSecond(r.records.last) {
		return reasonEndEarly, fmt.Sprintf("the last record is of %s", time.UnixMilli(r.records.last).UTC().Format(timeForm))
	}
	return reasonNone, ""
}

// explainRecords says why records have no line.
func (m *match) explainRecords() error {
	if !m.r.out.Witnesses.Log.Present {
		return nil
	}
	for _, i := range m.records {
		s := &m.g.all[i]
		if m.partner[i] >= 0 {
			continue
		}
		why, detail := m.whyNoLine(i)
		if err := m.r.differ(RecordWithoutLine, why, m.r.caseOf(s, detail)); err != nil {
			return err
		}
	}
	return nil
}

func (m *match) whyNoLine(i int) (*Reason, string) {
	s := &m.g.all[i]
	l := &m.r.log
	scheme, _, _ := strings.Cut(s.uri, ":")
	switch {
	case s.what == warc.TypeContinuation:
		return reasonSegment, ""
	case s.what == warc.TypeConversion:
		return reasonMade, s.what
	case scheme == "metadata" || scheme == "urn" || scheme == "warcinfo" || scheme == "file" || scheme == "filedesc":
		return reasonMade, scheme + ":"
	case m.again != nil && m.again[i]:
		return reasonRecordedAgain, ""
	case m.r.about.System == model.Wget && s.status >= 300 && s.status < 400:
		return reasonRedirect, ""
	}
	for _, f := range m.failed {
		if failed := &m.g.all[f]; s.at != noTime && failed.second() == s.second() {
			return reasonLoggedFailed, fmt.Sprintf("the log has the status %d", failed.status)
		}
	}
	if s.at != noTime && l.first <= l.last && (s.second() < floorSecond(l.first) || s.second() > floorSecond(l.last)) {
		return reasonOutsideLog, fmt.Sprintf("the log has fetches from %s to %s", time.UnixMilli(l.first).UTC().Format(timeForm), time.UnixMilli(l.last).UTC().Format(timeForm))
	}
	return nil, ""
}

// joinIndex finds, for entries that are not where they say, the records of the same second that no entry has.
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
		if found < 0 {
			kept = append(kept, e)
			continue
		}
		record := &m.g.all[m.unindexed[found]]
		m.unindexed[found] = -1
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

// whyMoved says why an entry has another place than its record.
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

// explainEntries says why entries have no record.
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

// whyNoRecordOf says why there is no record for an entry: nil when there is one after all.
func (m *match) whyNoRecordOf(s *sighting) (*Reason, string) {
	if s.container < 0 || s.offset < 0 {
		return m.entryWithoutPlace(s)
	}
	c := m.r.shelf.all[s.container]
	lost := c.lost
	why, detail := m.r.whyNotIn(c, s)
	switch {
	case m.hasLineOf(s) || describes(s.uri): // it was counted with the line, or is none
		c.lost = lost
	case why.Class == Lost:
		m.r.out.LostCaptures++
	}
	return why, detail
}

// describes says whether what a URL names is no capture, but describes the container.
func describes(uri string) bool {
	return strings.HasPrefix(uri, "filedesc:") || strings.HasPrefix(uri, "warcinfo:")
}

// entryWithoutPlace looks for the record of an entry that names no place: nil when there is one.
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

// explainUnindexed says why an index has no entry for a record.
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

// compareSeeds looks for the lines of seeds, with the status that the report has.
func (m *match) compareSeeds() error {
	if !m.r.out.Witnesses.Log.Present {
		return nil
	}
	for _, i := range m.seeds {
		seed := &m.g.all[i]
		found := seed.status == 0
		for _, l := range append(append([]int{}, m.lines...), m.failed...) {
			found = found || m.g.all[l].status == seed.status
		}
		if found {
			continue
		}
		detail := fmt.Sprintf("seeds-report.txt has the seed %s with status %d, and the log has no such line", seed.what, seed.status)
		if err := m.r.differ(ReportDiffers, nil, Case{URL: seed.url(), Host: seed.host, Detail: detail}); err != nil {
			return err
		}
	}
	return nil
}

// findTargets looks for what revisits refer to.
func (m *match) findTargets() error {
	for _, w := range m.wanted {
		want := &m.g.all[w]
		found := false
		for _, i := range m.records {
			rec := &m.g.all[i]
			same := rec.second() == want.second()
			if want.what == revisitUnnamed {
				same = likeness(want.digest, rec) == alike
			}
			found = found || same && rec.what != warc.TypeRevisit
		}
		if found {
			continue
		}
		logged := false // it was fetched, and then it was lost
		for _, l := range m.lines {
			logged = logged || m.g.all[l].second() == want.second() && want.what == revisitByTime
		}
		detail := "it names no target, and no record of its URL has its digest"
		if want.what == revisitByTime {
			detail = fmt.Sprintf("it refers to the capture of %.500s of %s", want.url(), want.time().Format(timeForm))
		}
		c := m.r.caseOf(want, detail)
		c.URL = want.note
		if err := m.r.differ(RevisitWithoutTarget, m.whyNoTarget(want, logged), c); err != nil {
			return err
		}
	}
	return nil
}

func (m *match) whyNoTarget(want *sighting, logged bool) *Reason {
	if want.what == revisitUnnamed {
		for _, l := range m.lines {
			if m.g.all[l].is(isDuplicate) {
				return reasonEarlier
			}
		}
	}
	return m.r.whyNoTarget(want, logged)
}

// whyNoTarget says why the target of a revisit is nowhere: it was captured before this harvest began, or was lost from it.
func (r *run) whyNoTarget(want *sighting, logged bool) *Reason {
	begin := min(r.log.first, r.records.first)
	switch {
	case logged && len(r.missing) > 0:
		return reasonAbsent
	case want.what == revisitByID && r.dedupAgainst != "":
		return reasonEarlier
	case want.what == revisitByTime && want.at < begin:
		return reasonEarlier
	case len(r.missing) > 0:
		return reasonAbsent
	}
	return nil
}
