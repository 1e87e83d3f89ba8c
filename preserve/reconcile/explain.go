package reconcile

import (
	"fmt"
	"strings"
	"time"

	"quire/format/warc"
	"quire/model"
)

// explainLines explains lines without a record.
func (m *match) explainLines() error {
	for _, i := range m.lines {
		if m.partner[i] >= 0 {
			continue
		}
		s := &m.g.all[i]
		why, detail := m.whyNoRecord(i)
		if why.Class == Lost {
			m.r.loseCapture()
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

// whyNoRecord looks for the reason in the order of evidence: the line itself, other sources about
// this capture, the state of the containers.
func (m *match) whyNoRecord(i int) (*Reason, string) {
	s := &m.g.all[i]
	r := m.r
	for _, e := range m.entries { // an index knows the container
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
	case r.isMirror:
		return m.whyNotInMirror(s), ""
	}
	if s.container >= 0 {
		return r.whyNotIn(r.shelf.all[s.container], s)
	}
	if isLookup(s.uri) && r.records.lookups == 0 && r.records.content > 0 {
		return reasonNamesNotKept, ""
	}
	return r.whyLost(s)
}

// whyNotInMirror returns the reason why a mirror has no separate body for a line.
func (m *match) whyNotInMirror(s *sighting) *Reason {
	if s.status >= 300 {
		return reasonMirror
	}
	for _, i := range m.lines {
		if m.partner[i] >= 0 {
			return reasonMirrorOnce
		}
	}
	return reasonMirrorLost
}

// whyNotIn returns the reason why a record is missing from the container that a source names.
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

// whyLost looks for a container that may have held the record, if no source names one.
func (r *run) whyLost(s *sighting) (*Reason, string) {
	if r.records.content == 0 && r.shelf.present() == 0 && len(r.missing) == 0 {
		return reasonNowhere, ""
	}
	for _, c := range r.missing {
		// earlier content is listed in an index, and this is not
		if c.entries == 0 || s.second() >= c.lastAt {
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
		if c.broken > 0 && (t.IsZero() || c.first.IsZero() || !t.Before(c.first.Truncate(time.Second)) &&
			!t.After(c.last)) {
			c.lost++
			return reasonDamaged, c.name
		}
	}
	if s.at != noTime && r.records.content > 0 && s.second() > floorSecond(r.records.last) {
		return reasonEndEarly, fmt.Sprintf("the last record is of %s",
			time.UnixMilli(r.records.last).UTC().Format(timeForm))
	}
	return reasonNone, ""
}

// explainRecords explains records without a line.
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
		return reasonOutsideLog, fmt.Sprintf("the log has fetches from %s to %s",
			time.UnixMilli(l.first).UTC().Format(timeForm), time.UnixMilli(l.last).UTC().Format(timeForm))
	}
	return nil, ""
}

// compareSeeds looks for the lines of seeds, with the status in the report.
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
		detail := fmt.Sprintf("seeds-report.txt has the seed %s with status %d, but the log has no line "+
			"with this seed and status",
			seed.what, seed.status)
		if err := m.r.differ(ReportDiffers, nil, Case{URL: seed.url(), Host: seed.host, Detail: detail}); err != nil {
			return err
		}
	}
	return nil
}

// findTargets looks for the targets of revisits.
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
		logged := false // it was fetched, and then lost
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

// whyNoTarget returns the reason why the target of a revisit is missing: it was captured before
// this harvest, or lost from it.
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
