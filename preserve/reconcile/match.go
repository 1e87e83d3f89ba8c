package reconcile

import (
	"fmt"

	"quire/format/warc"
)

// match is the comparison of all sightings of one URL.
type match struct {
	r *run
	g *group

	// indexes in g.all, by time
	lines, failed, records, entries, unindexed, seeds, wanted, pages, noted []int

	partner []int  // of lines and records: index of the partner; -1 for none
	again   []bool // of lines and records: duplicate of one with a partner
}

func newMatch(r *run, g *group) *match {
	m := &match{r: r, g: g, partner: make([]int, len(g.all))}
	for i := range g.all {
		m.partner[i] = -1
		s := &g.all[i]
		var to *[]int
		switch s.kind {
		case ofHostRow:
			r.sums.row = &sighting{size: s.size, content: s.content}
			continue
		case ofSeedRow:
			to = &m.seeds
		case ofRecord:
			to = &m.records
			r.hosts.now.Records++
		case ofUnindexed:
			to = &m.unindexed
		case ofIndex:
			to = &m.entries
		case ofWanted:
			to = &m.wanted
		case ofPage:
			to = &m.pages
		case ofNoted:
			to = &m.noted
		default:
			to = m.countLine(s)
		}
		*to = append(*to, i)
	}
	return m
}

// countLine counts a line for its host.
func (m *match) countLine(s *sighting) *[]int {
	now := m.r.hosts.now
	now.Logged++
	if s.status <= 0 {
		now.NotFetched++
		return &m.failed
	}
	now.Fetched++
	m.r.sums.bytes += max(0, s.content)
	m.r.sums.sized = m.r.sums.sized && s.content >= 0
	return &m.lines
}

// join matches each line to its record: by container and offset if the log has them; or by URL and
// second, with or without the digest; or by URL and digest. The URL alone suffices only in a
// mirror, which has each URL once.
func (m *match) join() error {
	if len(m.lines) == 0 || len(m.records) == 0 {
		return nil
	}
	j := &m.r.out.Joined
	m.pair(&j.Place, placeOf, nil)
	m.pair(&j.Digest, secondOf, func(line, record *sighting) bool { return likeness(line.digest, record) == alike })
	m.pair(&j.Second, secondOf, nil)
	for apart := int64(1); apart <= 2; apart++ {
		for _, shift := range []int64{apart, -apart} {
			m.pair(&j.Near, func(s *sighting) string { return shifted(s, shift) },
				func(line, record *sighting) bool { return likeness(line.digest, record) == alike })
		}
	}
	m.pair(&j.AnyTime, digestKey, nil)
	if m.r.logsRequests() { // without digests, and from another moment of the download
		m.pair(&j.Size, sizeKey, nil)
		for _, by := range []int64{-1, 1, -2, 2} {
			m.pair(&j.Near, func(s *sighting) string { return shifted(s, by) },
				func(line, record *sighting) bool { return line.status == record.status })
		}
	}
	if m.r.isMirror {
		m.pair(&j.Mirror, func(*sighting) string { return "url" }, nil)
	}
	m.again = make([]bool, len(m.g.all))
	m.markAgain(m.lines)
	m.markAgain(m.records)
	return nil
}

// pair matches lines and records without a partner that have the same key and fit; the key "" never
// matches.
func (m *match) pair(count *int64, key func(*sighting) string, fits func(line, record *sighting) bool) {
	free := map[string][]int{}
	for _, i := range m.records {
		if k := key(&m.g.all[i]); m.partner[i] < 0 && k != "" {
			free[k] = append(free[k], i)
		}
	}
	if len(free) == 0 {
		return
	}
	for _, i := range m.lines {
		line := &m.g.all[i]
		if m.partner[i] >= 0 {
			continue
		}
		k := key(line)
		if k == "" {
			continue
		}
		for n, rec := range free[k] {
			if rec >= 0 && (fits == nil || fits(line, &m.g.all[rec])) {
				m.partner[i], m.partner[rec] = rec, i
				*count++
				if n == 0 {
					free[k] = free[k][1:]
				} else {
					free[k][n] = -1
				}
				break
			}
			if n == maxTries {
				break
			}
		}
	}
}

// maxTries limits the records tried per line for one key: a hostile log can have a million lines of
// one second.
const maxTries = 64

func placeOf(s *sighting) string {
	if s.container < 0 || s.offset < 0 {
		return ""
	}
	return fmt.Sprint(s.container, " ", s.offset)
}

func secondOf(s *sighting) string { return shifted(s, 0) }

// shifted returns the second of a sighting as text, for matching. The seconds of log lines are
// moved by the given difference.
func shifted(s *sighting, by int64) string {
	if s.at == noTime {
		return ""
	}
	second := s.second()
	if s.kind == ofLog {
		second += by
	}
	return fmt.Sprint(second)
}

// digestKey returns the digest of the content. The digest of an empty body is not used, because it
// is useless for matching.
func digestKey(s *sighting) string {
	if s.digest == "" || s.kind == ofRecord && s.size == 0 && s.what != warc.TypeRevisit {
		return s.computedKey()
	}
	return s.digest
}

// sizeKey returns the size of a body, as a log counts it.
func sizeKey(s *sighting) string {
	n := s.size
	if s.kind == ofRecord {
		n = s.unframed
	}
	if n <= 0 || s.at == noTime {
		return ""
	}
	return fmt.Sprint(n)
}

func (s *sighting) computedKey() string {
	if s.kind == ofRecord && s.size > 0 {
		return s.computed
	}
	return ""
}

// markAgain marks sightings without a partner that equal one with a partner: in URL, second and
// digest.
func (m *match) markAgain(all []int) {
	seen := map[string]bool{}
	for _, i := range all {
		if m.partner[i] >= 0 {
			seen[sameness(&m.g.all[i])] = true
		}
	}
	for _, i := range all {
		s := &m.g.all[i]
		m.again[i] = m.partner[i] < 0 && s.at != noTime && seen[sameness(s)]
	}
}

func sameness(s *sighting) string {
	digest := s.digest
	if digest == "" {
		digest = s.computed
	}
	return fmt.Sprint(s.second(), " ", s.status, " ", digest)
}

// comparePairs compares lines with their records.
func (m *match) comparePairs() error {
	for _, i := range m.lines {
		if m.partner[i] < 0 {
			continue
		}
		line, record := &m.g.all[i], &m.g.all[m.partner[i]]
		if m.r.isMirror {
			continue
		}
		if record.what != warc.TypeRevisit {
			m.r.sums.ofRecords += record.content
			m.r.sums.joined++
		}
		for _, check := range []func(line, record *sighting) (Kind, *Reason, string){m.checkTime, checkStatus,
			checkDigest, checkSize} {
			kind, why, detail := check(line, record)
			if detail == "" {
				continue
			}
			c := m.r.caseOf(record, detail)
			c.Line = line.line
			if err := m.r.differ(kind, why, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *match) checkTime(line, record *sighting) (Kind, *Reason, string) {
	if line.at == noTime || record.at == noTime || line.second() == record.second() {
		return TimeDiffers, nil, ""
	}
	detail := "the log has " + line.time().Format(timeForm)
	if apart := line.second() - record.second(); m.r.logsRequests() && apart > -longRequest {
		return TimeDiffers, reasonLoggedDone, detail
	}
	if d := line.second() - record.second(); d >= -2 && d <= 2 {
		return TimeDiffers, reasonRounded, detail
	}
	return TimeDiffers, nil, detail
}

// longRequest is the longest time until a server responds, in seconds: wget's long log has the time
// before.
const longRequest = 60

func checkStatus(line, record *sighting) (Kind, *Reason, string) {
	if record.status == 0 || line.status == record.status {
		return StatusDiffers, nil, ""
	}
	detail := fmt.Sprintf("the log has the status %d, the record %d", line.status, record.status)
	if record.what == warc.TypeRevisit && line.is(isDuplicate) {
		return StatusDiffers, reasonDuplicate, detail
	}
	return StatusDiffers, nil, detail
}

func checkDigest(line, record *sighting) (Kind, *Reason, string) {
	if likeness(line.digest, record) != unlike {
		return DigestDiffers, nil, ""
	}
	const detail = "the log has another digest"
	switch {
	case record.is(isTruncated) || line.is(isTruncated) || record.is(isUnsound):
		return DigestDiffers, whyShort(record, !record.is(isUnsound)), detail
	case record.is(isCoded):
		return DigestDiffers, reasonFramed, detail
	}
	return DigestDiffers, nil, detail
}

// checkSize compares corresponding sizes: content-size with the size of the block, and column 3
// with the size of the payload. Column 3 is the size declared by the server, if any. So column 3
// may be wrong although nothing is lost.
func checkSize(line, record *sighting) (Kind, *Reason, string) {
	if record.what == warc.TypeRevisit {
		return SizeDiffers, nil, ""
	}
	truncated := record.is(isTruncated) || line.is(isTruncated)
	if line.content >= 0 && line.content != record.content {
		detail := fmt.Sprintf("the log has content-size:%d, the block of the record has %d bytes", line.content,
			record.content)
		return SizeDiffers, whyShort(record, truncated), detail
	}
	if line.size < 0 || line.size == record.size || line.size == record.content || line.size == record.unframed {
		return SizeDiffers, nil, ""
	}
	detail := fmt.Sprintf("column 3 of the log has %d bytes, the payload of the record %d", line.size, record.size)
	if why := whyShort(record, truncated); why != nil {
		return SizeDiffers, why, detail
	}
	if line.content >= 0 || likeness(line.digest, record) == alike {
		return SizeDiffers, reasonDeclared, detail
	}
	return SizeDiffers, nil, detail
}

// whyShort returns the reason why the bytes of a record differ from the log: the crawler stopped,
// or the container is damaged.
func whyShort(record *sighting, truncated bool) *Reason {
	switch {
	case truncated:
		return reasonTruncated
	case record.is(isUnsound):
		return reasonDamaged
	}
	return nil
}
