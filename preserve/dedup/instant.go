package dedup

import (
	"strings"
	"time"

	"quire/format/warc"
)

// instant is the period that a date names: usually a second, or a day if no time is stated. Both
// ends are microseconds since 1970; finer values are rounded outwards.
type instant struct{ Start, Stop int64 }

// before reports whether all of i is before all of j. Of two captures dated to the same second
// neither is earlier.
func (i instant) before(j instant) bool { return i.Stop <= j.Start }

// datedAs reads a date of a record or an index: W3CDTF (ISO 28500:2017, 5.4), or the 4 to 18 digits
// of ARC and CDX. It returns the date as WARC writes it, or "" if it is not a valid time. WARC has
// no dates to the hour, so such a date is written to the day.
func datedAs(s string) (span instant, date string) {
	if strings.Trim(s, "0123456789") != "" {
		t, err := warc.ParseDate(s)
		if err != nil {
			return instant{}, ""
		}
		return spanOf(t, unitOf(s)), s
	}
	layout := timestampLayout[:min(len(s), len(timestampLayout))]
	if len(s) < 4 || len(s) > 18 || len(s) < len(timestampLayout) && len(s)%2 != 0 {
		return instant{}, ""
	}
	digits, fraction := s[:len(layout)], s[len(layout):]
	t, err := time.Parse(layout, digits)
	if err != nil {
		return instant{}, ""
	}
	date = t.Format(granularities[len(layout)])
	if fraction != "" {
		date = strings.TrimSuffix(date, "Z") + "." + fraction + "Z"
		if t, err = time.Parse(time.RFC3339Nano, date); err != nil {
			return instant{}, ""
		}
	}
	if len(digits) == 10 {
		return spanOf(t, time.Hour), date
	}
	return spanOf(t, unitOf(date)), date
}

const timestampLayout = "20060102150405"

// granularities maps the number of digits to the date format of WARC.
var granularities = map[int]string{
	4: "2006", 6: "2006-01", 8: "2006-01-02", 10: "2006-01-02", 12: "2006-01-02T15:04Z", 14: "2006-01-02T15:04:05Z",
}

// Units without a fixed length.
const (
	year  = -time.Duration(1)
	month = -time.Duration(2)
)

// unitOf returns the granularity of a W3CDTF date.
func unitOf(s string) time.Duration {
	switch {
	case len(s) == len("2006"):
		return year
	case len(s) == len("2006-01"):
		return month
	case len(s) == len("2006-01-02"):
		return 24 * time.Hour
	case strings.Count(s[:min(len(s), len("2006-01-02T15:04:05"))], ":") == 1:
		return time.Minute
	}
	_, fraction, _ := strings.Cut(s, ".")
	unit := time.Second
	for i := 0; i < len(fraction) && '0' <= fraction[i] && fraction[i] <= '9' && unit > time.Microsecond; i++ {
		unit /= 10
	}
	return max(unit, time.Microsecond)
}

func spanOf(t time.Time, unit time.Duration) instant {
	end := t.Add(unit)
	switch unit {
	case year:
		end = t.AddDate(1, 0, 0)
	case month:
		end = t.AddDate(0, 1, 0)
	}
	return instant{t.UnixMicro(), end.UnixMicro()}
}
