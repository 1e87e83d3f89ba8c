package wget

import (
	"errors"
	"net/http"
	"time"

	"quire/source/internal/zone"
)

// clock converts the times of a log to UTC. Versions until 1.10 write only times of day; then other
// sources give the day as well.
type clock struct {
	zone  zone.Zone
	known bool // the day is known
}

// clockOf concludes the clock of a log from all evidence.
func clockOf(j *journal, evidence ...*zone.Evidence) clock {
	z := zone.Weigh(evidence...)
	return clock{zone: z, known: !j.Undated || z.Known()}
}

// utc returns a log time in UTC, and whether it is known.
func (c *clock) utc(t time.Time) (time.Time, bool) {
	if t.IsZero() || !c.known || !c.zone.Known() {
		return time.Time{}, false
	}
	return c.zone.UTC(t), true
}

// farZone is the largest difference of a clock from UTC.
const farZone = 14 * time.Hour

// estimate returns a log time in UTC with its possible error, and the evidence for the zone; ok is
// false if the day is not known.
func (c *clock) estimate(t time.Time) (at time.Time, leeway time.Duration, from string, ok bool) {
	switch {
	case t.IsZero() || !c.known:
		return time.Time{}, 0, "", false
	case c.zone.Why == "":
		return t, farZone, "on the crawler's clock, whose zone is not known", true
	case c.zone.Known():
		return c.zone.UTC(t), 0, "its zone from " + c.zone.Why, true
	}
	return c.zone.UTC(t), c.zone.Leeway, "its zone is in doubt: " + c.zone.Doubt, true
}

// local returns a time on the crawler's clock, with its day if known, else zero.
func (c *clock) local(t time.Time) time.Time {
	if t.IsZero() || !c.known {
		return time.Time{}
	}
	return t.AddDate(0, 0, c.zone.Days)
}

// seconds is the time that a line of the log and the time of a file of one moment may be apart.
const seconds = 2 * time.Second

// logWritten is the mtime of a log, against its last line. A copy of the log has another mtime, so
// this evidence is weak.
func logWritten(j *journal, modified time.Time) *zone.Evidence {
	e := &zone.Evidence{Kind: "the time at which the log was last written, against its last line",
		Weight: zone.Disputes, Before: seconds, After: 5 * seconds, Undated: j.Undated}
	e.Add(j.Last, modified)
	return e
}

// clocks concludes the zone of each log from all evidence: the Date of responses that -S or -d
// wrote into it, the mtimes of files, and the mtime of the log. It reports a doubt.
func (m *mirror) clocks() error {
	for i := range m.logs {
		l := &m.logs[i]
		headers, err := m.datesOf(l)
		if err != nil {
			return err
		}
		l.clock = clockOf(&l.journal, headers, m.filesOf(l), logWritten(&l.journal, m.tree.Find(l.Path).Modified))
		m.facts.DoubtZone(l.Path, l.clock.zone)
	}
	return nil
}

// maxVotes is the maximum number of headers used for the zone.
const maxVotes = 500

// datesOf is the Date headers in the log, against its times.
func (m *mirror) datesOf(l *loggedRun) (*zone.Evidence, error) {
	e := &zone.Evidence{Kind: "the Date headers in the log, against its times", Weight: zone.Enough,
		Undated: l.journal.Undated}
	in, err := m.tree.Open(l.Path)
	if err != nil {
		return nil, err
	}
	asked := 0
	for _, of := range m.captures {
		if of.log != l || of.by == nil || of.by.Head.From == of.by.Head.To || asked == maxVotes {
			continue
		}
		asked++
		head, err := readHead(in, of.by.Head)
		if err != nil {
			return nil, errors.Join(err, in.Close())
		}
		if date, err := http.ParseTime(headerOf(head, "Date")); err == nil {
			e.Add(later(of.by), date)
		}
	}
	return e, in.Close()
}

// filesOf is the mtimes of files, against the times of saving in the log. Most mtimes are the
// server's Last-Modified, and agree with no zone to the second. A few can do so by chance, so one
// file is not enough.
func (m *mirror) filesOf(l *loggedRun) *zone.Evidence {
	e := &zone.Evidence{Kind: "the times of files to which the server gave none, against those in the log",
		Weight: 1, Before: seconds, After: seconds, Undated: l.journal.Undated}
	for _, c := range m.captures {
		if c.log == l && c.by != nil && c.by.Saved && c.file != "" {
			e.Add(c.by.Done, m.tree.Find(c.file).Modified)
		}
	}
	return e
}

// later returns the time at which the response was complete.
func later(a *attempt) time.Time {
	if a.Done.IsZero() {
		return a.Asked
	}
	return a.Done
}
