package httrack

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"quire/format/http1"
	"quire/source"
)

// The capture time of a URL comes from the first available source, in this order:
//
//   1. The Date header as received.
//   2. The row of the log, if its day and zone are known.
//   3. The comment that HTTrack wrote into the page.
//   4. The mtime of the file, if it is within the run.
//   5. The row of the log, with the possible error of its zone.
//   6. The run, by its log, otherwise by the comments in its pages.
//
// HTTrack sets the mtime of a file to the time of the server's last change. So an mtime before the
// run is not evidence of the capture time, and is used only as a last resort.

// farZone is the largest difference of a clock from UTC.
const farZone = 14 * time.Hour

// moment sets the capture time of a URL, its precision, and its source.
func (t *resourcePass) moment(c *Capture, r *source.Resource, head *http1.Head) {
	if head != nil {
		if date, err := http.ParseTime(head.Get("Date")); err == nil {
			r.Time, r.TimeFrom = date.UTC(), "header Date in "+t.Mirror.path("hts-ioinfo.txt")
			return
		}
	}
	row := ""
	if c.Row != nil {
		row = c.Log + ", line " + strconv.FormatInt(c.Row.Line, 10)
	}
	z := t.Mirror.zone
	if !c.Time.IsZero() && z.Known() {
		r.Time, r.TimeFrom = c.Time, row+"; the zone from "+z.Why
		return
	}
	written := t.Mirror.written(c.File)
	footer := t.Mirror.footer(c.File)
	switch {
	case !footer.Time.IsZero():
		r.Time, r.Leeway, r.TimeFrom = footer.Time, t.lag(), fromFooter
	case t.within(written):
		r.Time, r.Leeway, r.TimeFrom = written, t.lag(), fromWritten
	case !c.Time.IsZero() && z.Why != "":
		r.Time, r.Leeway, r.TimeFrom = c.Time, z.Leeway, row+"; its zone is in doubt: "+z.Doubt
	case !c.Time.IsZero():
		r.Time, r.Leeway, r.TimeFrom = c.Time, farZone, row+", on the crawler's clock, whose zone is not known"
	case c.Row != nil && c.Log == t.Mirror.path("hts-cache/old.txt"):
		t.before(r)
	default:
		t.run(r)
	}
	if r.Time.IsZero() {
		t.lastChange(r, written)
	}
}

// strayTime sets the capture time of a file that neither cache nor log names.
func (t *resourcePass) strayTime(r *source.Resource) {
	written := t.Mirror.written(r.File)
	if footer := t.Mirror.footer(r.File); !footer.Time.IsZero() {
		r.Time, r.Leeway, r.TimeFrom = footer.Time, t.lag(), fromFooter
		return
	}
	if t.within(written) {
		r.Time, r.Leeway, r.TimeFrom = written, t.lag(), fromWritten
		return
	}
	if t.run(r); r.Time.IsZero() {
		t.lastChange(r, written)
	}
}

const fromFooter = "the comment \"Mirrored from\" in the file, which HTTrack writes at the download or later in the run"

const fromWritten = "mtime of the file, which lies within the run; HTTrack wrote it at the download or later"

// lag returns the time by which a file and the comment in it can be later than the download. HTTrack
// writes a page when it has its links, or, without a cache, at the end of the run.
func (t *resourcePass) lag() time.Duration {
	if from, to, _ := t.span(); !t.launched.IsZero() && to.After(from) {
		return to.Sub(from)
	}
	return dayLong
}

// footer reads HTTrack's comment in a file, or returns an empty Footer.
func (m *Mirror) footer(p string) Footer {
	if p == "" || !rewrites("", p) {
		return Footer{}
	}
	b, err := m.beginning(p)
	if err != nil {
		return Footer{}
	}
	f, _ := MirroredFrom(b)
	return f
}

// written returns the time at which a file was written, from its mtime or HTTrack's record; zero if
// unknown.
func (m *Mirror) written(p string) time.Time {
	if f := m.tree.Find(p); p != "" && f != nil {
		return f.Modified.UTC().Truncate(time.Second)
	}
	return time.Time{}
}

// span returns begin and end of the run, as far as known, and their possible error.
func (t *resourcePass) span() (from, to time.Time, off time.Duration) {
	a := t.About()
	from, to = a.Start, a.End
	if from.IsZero() && !t.launched.IsZero() {
		from, off = t.launched, farZone
		if took, ok := duration(t.complete); ok {
			to = from.Add(took)
		}
	}
	return from, to, off
}

// within reports whether a time is within the run, to a minute. A run without a known end is not
// treated as endless.
func (t *resourcePass) within(at time.Time) bool {
	from, to, off := t.span()
	if at.IsZero() || from.IsZero() || to.IsZero() {
		return false
	}
	return !at.Before(from.Add(-off-time.Minute)) && !at.After(to.Add(off+time.Minute))
}

// run sets the capture time to the start of the run.
func (t *resourcePass) run(r *source.Resource) {
	from, to, off := t.span()
	if s := t.Mirror.commented; !s.first.IsZero() {
		r.Time, r.Leeway = s.first, s.last.Sub(s.first)+dayLong
		r.TimeFrom = fmt.Sprintf("the comments in pages of the mirror, from %s to %s: the run, or part of it",
			s.first.Format(time.RFC3339), s.last.Format(time.RFC3339))
		return
	}
	if from.IsZero() {
		return
	}
	r.Time, r.Leeway, r.TimeFrom = from, off+dayLong, "begin of the run, whose end is not known"
	if !to.IsZero() {
		r.Leeway, r.TimeFrom = off+to.Sub(from), fmt.Sprintf("begin of the run, which took %v", to.Sub(from))
	}
	if off > 0 {
		r.TimeFrom += "; on the crawler's clock, whose zone is not known"
	}
}

// before uses the end of the run before: the mtime of its log, if that is before this run.
func (t *resourcePass) before(r *source.Resource) {
	log := t.Mirror.path("hts-cache/old.txt")
	from, _, _ := t.span()
	if ended := t.Mirror.written(log); !ended.IsZero() && ended.Before(from) {
		r.Time, r.Leeway, r.TimeFrom = ended, dayLong, "mtime of "+log+", when the run before ended"
	}
}

// newest returns the newest mtime of the mirror: its end, or before.
func (t *resourcePass) newest() time.Time {
	if t.last.IsZero() {
		for _, f := range t.Mirror.Files {
			if at := t.Mirror.written(f.Path); at.After(t.last) {
				t.last = at
			}
		}
	}
	return t.last
}

// lastChange uses the mtime of the file as a last resort.
func (t *resourcePass) lastChange(r *source.Resource, written time.Time) {
	if !written.IsZero() {
		r.Time, r.Leeway, r.TimeFrom = written, max(dayLong, t.newest().Sub(written)),
			"mtime of the file; HTTrack sets it to what the server told as the last change, so that the capture was "+
				"then or later"
	}
}
