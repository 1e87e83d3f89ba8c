package reconcile

import (
	"math"
	"strconv"
	"strings"

	"quire/model"
	"quire/source"
)

// readLog reads all lines of the log.
func (r *run) readLog() error {
	w := &r.out.Witnesses.Log
	last := int64(math.MaxInt64)
	for f, err := range r.harvest.Fetches(r.ctx, func(x model.Finding) {
		w.Unreadable++
		r.find(x)
	}) {
		if err != nil {
			return err
		}
		if len(f.Notes) > 0 && f.Notes[0] == source.NotePage { // lists of pages are a source of their own
			continue
		}
		if f.Line <= last { // another piece of the log
			r.log.pieces = append(r.log.pieces, 0)
		}
		last = f.Line
		if err := r.readLine(&f); err != nil {
			return err
		}
	}
	w.Present = w.Lines > 0 || len(r.log.pieces) > 0 || r.hasLog()
	return nil
}

// hasLog reports whether there is a crawl log, possibly empty.
func (r *run) hasLog() bool {
	for _, f := range r.files(model.RoleLog) {
		if strings.Contains(f.Path, "crawl.log") {
			return true
		}
	}
	return false
}

// readLine stores a line.
func (r *run) readLine(f *model.Fetch) error {
	s := sighting{
		kind: ofLog, at: millis(f.Time), status: f.Status, digest: digestOf(f.Digest),
		container: r.shelf.find(f.Container), offset: f.Offset,
		size: f.Size, content: -1, stored: -1, line: f.Line, what: string(f.Miss),
	}
	if s.at == noTime && f.Status > 0 && r.logsRequests() {
		s.at = millis(f.Logged)
	}
	r.spelled(s.set(f.URI))
	for _, note := range f.Notes {
		s.take(note)
	}
	if f.Duplicate != nil {
		s.marks |= isDuplicate
		if err := r.foreign(f.Duplicate); err != nil {
			return err
		}
	}
	w := &r.out.Witnesses.Log
	w.Lines++
	if f.Status <= 0 {
		w.NotFetched++
		return r.see(&s)
	}
	w.Fetched++
	r.log.pieces[len(r.log.pieces)-1]++
	if s.content < 0 {
		r.log.sized = false
	}
	r.log.bytes += max(0, s.content)
	if s.at != noTime {
		r.log.first, r.log.last = min(r.log.first, s.at), max(r.log.last, s.at)
	}
	if err := r.countLine(&s, f); err != nil {
		return err
	}
	return r.see(&s)
}

// logsRequests reports whether the crawler writes a line when it sends a request, and not, like
// Heritrix, when the fetch is finished.
func (r *run) logsRequests() bool {
	switch r.about.System {
	case model.Wget, model.HTTrack, model.Browsertrix, model.WACZ:
		return true
	}
	return false
}

// take parses an annotation.
func (s *sighting) take(note string) {
	key, value, _ := strings.Cut(note, ":")
	switch key {
	case "content-size", "contentSize": // of NetarchiveSuite, and in the JSON of Heritrix 3
		if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 0 {
			s.content = n
		}
		return
	case "duplicate", "deduplicate", "warcRevisit":
		s.marks |= isDuplicate
	case "unwritten":
		s.marks |= isUnwritten
	case "timeTrunc", "lenTrunc", "headerTrunc", "headTrunc", "midFetchAbort":
		s.marks |= isTruncated
	default:
		return
	}
	if s.note == "" {
		s.note = note
	}
}

// foreign counts the container that holds a duplicate's original. It ignores containers of this
// harvest.
func (r *run) foreign(p *model.Place) error {
	if moved, ok := r.harvest.(source.Relocated); ok {
		if now, ok := moved.Migrated(*p); ok {
			p = &now
		}
	}
	if p.Container == "" || r.shelf.known(p.Container) {
		return nil
	}
	return r.away.Add(p.Container, 1, 0)
}
