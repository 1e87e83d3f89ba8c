package pandas

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // the system may lack zone data for Sydney

	"quire/source/internal/facts"
)

// sydney is the zone of the National Library's servers in Canberra.
const sydney = "Australia/Sydney"

// clock converts the server's time to UTC, and records the evidence.
type clock struct {
	ahead time.Duration
	why   string // of ahead; "" for the zone of Sydney
	zone  *time.Location
}

// clock uses the zone from HTTrack's own files, if they show it. Otherwise it assumes the zone.
func (h *instance) clock() clock {
	if h.mirror != nil {
		if ahead, why := h.mirror.Mirror.Zone(); why != "" {
			return clock{ahead: ahead, why: "inferred from " + why}
		}
	}
	zone, err := time.LoadLocation(sydney)
	if err != nil {
		return clock{}
	}
	return clock{zone: zone, why: "assumed to be " + sydney + ", where PANDAS ran"}
}

// utc converts a local time labelled UTC; it returns zero if the zone is unknown.
func (c clock) utc(local time.Time) time.Time {
	switch {
	case local.IsZero() || c.why == "":
		return time.Time{}
	case c.zone != nil:
		return time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), local.Second(),
			local.Nanosecond(), c.zone).UTC()
	}
	return local.Add(-c.ahead)
}

// times sets begin and end: from HTTrack, the database, or the name of the instance.
func (h *instance) times(f *facts.Facts, k key, records []*record) {
	c := h.clock()
	if c.why == "" {
		return
	}
	f.Note("zone", fmt.Sprintf("the server's clock: %s; inferred", c.why), "no time of PANDAS has a zone")
	for _, e := range f.About.Evidence {
		local, ok := strings.CutSuffix(e.Value, " on the crawler's clock, whose zone is not known")
		at, err := time.Parse(time.DateTime, local)
		switch {
		case !ok || err != nil:
		case e.Fact == "start":
			f.TellTime(&f.About.Start, "start", c.utc(at), e.Source+"; the zone "+c.why)
		case e.Fact == "end":
			f.TellTime(&f.About.End, "end", c.utc(at), e.Source+"; the zone "+c.why)
		}
	}
	for _, r := range records {
		f.TellTime(&f.About.Start, "start", c.utc(localTime(r.stats.Get("gather_start"))),
			"GATHER_START of "+r.at(r.stats)+"; the zone "+c.why)
		f.TellTime(&f.About.End, "end", c.utc(localTime(r.stats.Get("gather_finish"))),
			"GATHER_FINISH of "+r.at(r.stats)+"; the zone "+c.why)
	}
	at, err := k.time()
	if err == nil && len(k.date) > len("20030403") {
		f.TellTime(&f.About.Start, "start", c.utc(at), "the date of the instance, to the minute; the zone "+c.why)
	}
}

var layouts = []string{"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04",
	"2006-01-02", "02-Jan-06 03.04.05.999999999 PM", "02-Jan-2006 15:04:05", "02-Jan-06"}

// localTime parses a database time, also within to_date('…','…'), as UTC; it returns zero for other
// text.
func localTime(s string) time.Time {
	if _, rest, ok := strings.Cut(s, "('"); ok {
		s, _, _ = strings.Cut(rest, "'")
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t
		}
	}
	return time.Time{}
}
