package describe

import (
	"regexp"
	"slices"

	"quire/metadata/oclc"
)

// year matches a year of four digits at the beginning of a date, and after a slash.
var year = regexp.MustCompile(`(?:^|/)([12]\d{3})(?:\D|$)`)

// years returns the first and the last year of the dates; "" without one. The dates of the website
// itself count. Without these, those of its captures do.
func (d *Description) years() (first, last string) {
	var own, captured []string
	for _, s := range d.Record {
		if s.Element != oclc.Date {
			continue
		}
		for _, m := range year.FindAllStringSubmatch(s.Value, -1) {
			if s.Kind == "captured" {
				captured = append(captured, m[1])
			} else {
				own = append(own, m[1])
			}
		}
	}
	if len(own) == 0 {
		own = captured
	}
	if len(own) == 0 {
		return "", ""
	}
	return slices.Min(own), slices.Max(own)
}
