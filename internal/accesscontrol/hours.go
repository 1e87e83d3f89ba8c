package accesscontrol

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // for machines without zone data
)

// hours is a part of the day in a time zone, in minutes since midnight; it may cross midnight. It
// follows the local clock: on days when the clock changes within it, it is an hour shorter or
// longer.
type hours struct {
	from, until int
	zone        *time.Location
}

var hoursForm = regexp.MustCompile(`^([0-9]{2}):([0-9]{2})-([0-9]{2}):([0-9]{2})$`)

func parseHours(all []string) ([]hours, error) {
	var parsed []hours
	for _, s := range all {
		h, err := parseSpan(s)
		if err != nil {
			return nil, fmt.Errorf("%.60q are not hours: %w", s, err)
		}
		parsed = append(parsed, h)
	}
	return parsed, nil
}

func parseSpan(s string) (hours, error) {
	span, zone, _ := strings.Cut(s, " ")
	m := hoursForm.FindStringSubmatch(span)
	if m == nil || strings.TrimSpace(zone) == "" {
		return hours{}, fmt.Errorf("write them as 20:00-06:00 Europe/Brussels")
	}
	at, err := time.LoadLocation(strings.TrimSpace(zone))
	if err != nil {
		return hours{}, fmt.Errorf("unknown zone %.40q: write UTC, or a name such as Europe/Brussels", zone)
	}
	h := hours{from: minutes(m[1], m[2]), until: minutes(m[3], m[4]), zone: at}
	const day = 24 * 60
	if h.from < 0 || h.until < 0 || h.from == day || h.from == h.until {
		return hours{}, fmt.Errorf("hours go from 00:00 to 24:00 and must not be empty")
	}
	return h, nil
}

// minutes returns the minutes since midnight, or -1 for an impossible time.
func minutes(hour, minute string) int {
	h, _ := strconv.Atoi(hour) // two digits, by the form
	m, _ := strconv.Atoi(minute)
	if h > 24 || m > 59 || h == 24 && m > 0 {
		return -1
	}
	return h*60 + m
}

func (h hours) hold(t time.Time) bool {
	local := t.In(h.zone)
	now := local.Hour()*60 + local.Minute()
	if h.from < h.until {
		return h.from <= now && now < h.until
	}
	return now >= h.from || now < h.until
}

// open reports whether t is within one of the spans, or whether the list is empty.
func open(all []hours, t time.Time) bool {
	for _, h := range all {
		if h.hold(t) {
			return true
		}
	}
	return len(all) == 0
}
