package httrack

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"quire/model"
	"quire/source"
	"quire/source/internal/zone"
)

// HTTrack writes times of day on the crawler's clock, without a date or a zone. The date starts
// with the launch, and advances by a day each time the clock goes back. The zone comes from all
// evidence: Date headers in new.txt, for responses without an ETag, and in hts-ioinfo.txt; the times
// in GMT that HTTrack writes into pages; the mtimes of files and of new.txt. Without evidence,
// times stay on the crawler's clock and are labelled so.

const dayLong = 24 * time.Hour

// days converts the times of day of consecutive rows to dates.
type days struct {
	day  time.Time // midnight, the crawler's clock labelled UTC; zero if unknown
	last time.Duration
}

// backstep is the largest backward step of the clock that does not mean a new day: several threads
// write rows at the same moment.
const backstep = time.Hour

func startAt(launched time.Time) days {
	if launched.IsZero() {
		return days{}
	}
	midnight := launched.Truncate(dayLong)
	return days{day: midnight, last: launched.Sub(midnight)}
}

func (d *days) at(clock time.Duration) time.Time {
	if d.day.IsZero() {
		return time.Time{}
	}
	if clock+backstep < d.last {
		d.day = d.day.Add(dayLong)
	}
	d.last = clock
	return d.day.Add(clock)
}

// addDate adds the column Etag|Date of a row. The date can be Last-Modified or Date.
func addDate(e *zone.Evidence, local time.Time, validator string) {
	date, ok := strings.CutPrefix(validator, "date:")
	if server, err := time.Parse(time.RFC1123, date); ok && err == nil {
		e.Add(local, server)
	}
}

// maxVotes is the number of pages and of heads used to find the zone, which all share.
const maxVotes = 50

// concludeZone concludes the zone of the rows, and converts their times to UTC. It reports a doubt.
func (w *runFacts) concludeZone() error {
	heads, err := w.datesInHeads()
	if err != nil {
		return err
	}
	w.zone = zone.Weigh(heads, w.timesInPages(), &w.validators, w.timesOfFiles(), &w.written)
	if w.zone.Doubt != "" {
		severity := model.Info
		if w.zone.Disagree {
			severity = model.Warning
		}
		w.findings.add(source.CodeClock, severity, w.path("hts-cache/new.txt"), 0,
			"the zone of its times is in doubt, and each date from it is uncertain by %v; %s", w.zone.Leeway,
			w.zone.Doubt)
	}
	for _, c := range w.Captures {
		if !c.Time.IsZero() {
			c.Time = w.zone.UTC(c.Time)
		}
	}
	return nil
}

// datesInHeads is the Date headers in hts-ioinfo.txt, against the rows of their URLs.
func (w *runFacts) datesInHeads() (*zone.Evidence, error) {
	e := &zone.Evidence{Kind: "the Date headers in hts-ioinfo.txt, against the first column of hts-cache/new.txt",
		Weight: zone.Enough}
	content := w.Content()
	asked := 0
	for _, c := range w.Captures {
		if c.Time.IsZero() || c.Response == nil || c.Response.Status != c.Status() {
			continue
		}
		if asked++; asked > maxVotes {
			break
		}
		head, err := content.Header(c.Response)
		if errors.Is(err, errHeaders) {
			continue
		}
		if err != nil {
			return nil, errors.Join(err, content.Close())
		}
		for line := range strings.Lines(string(head)) {
			name, value, _ := strings.Cut(line, ":")
			if date, err := http.ParseTime(strings.TrimSpace(value)); err == nil && strings.EqualFold(name, "Date") {
				e.Add(c.Time, date)
			}
		}
	}
	return e, content.Close()
}

// timesInPages is the times in the comments in the pages, which HTTrack writes in GMT.
func (w *runFacts) timesInPages() *zone.Evidence {
	e := &zone.Evidence{Kind: "the times in the comments \"Mirrored from\", against the first column of " +
		"hts-cache/new.txt", Weight: 2, Before: 2 * time.Second}
	asked := 0
	for _, c := range w.Captures {
		if c.Time.IsZero() || c.File == "" || !rewrites("", c.File) {
			continue
		}
		if asked++; asked > maxVotes {
			break
		}
		e.Add(c.Time, w.footer(c.File).Time)
	}
	return e
}

// timesOfFiles is the mtimes of files, which are those of the download if the server gave none.
func (w *runFacts) timesOfFiles() *zone.Evidence {
	e := &zone.Evidence{Kind: "the times of files to which the server gave none, against the first column of " +
		"hts-cache/new.txt", Weight: 1, Before: 2 * time.Second, After: 2 * time.Second}
	for _, c := range w.Captures {
		if !c.Time.IsZero() && c.File != "" {
			e.Add(c.Time, w.tree.Find(c.File).Modified)
		}
	}
	return e
}

// launchedLayout is the format of dates in hts-log.txt and doit.log.
const launchedLayout = "Mon, 02 Jan 2006 15:04:05"

func parseLaunched(s string) time.Time {
	t, err := time.Parse(launchedLayout, strings.TrimSpace(s))
	if err != nil {
		return time.Time{}
	}
	return t
}

// parseClock parses a time of day.
func parseClock(s string) (time.Duration, error) {
	t, err := time.Parse(time.TimeOnly, s)
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute +
		time.Duration(t.Second())*time.Second, err
}
