package parts

import (
	"time"

	"quire/format/htmllink"
)

// weightOf returns the weight of a part by Memento Damage, in tenths: a film, a picture, and style
// sheets, scripts and frames. One URL of a srcset is not counted, because a browser loads one of
// several.
func weightOf(k htmllink.Kind) int {
	switch k {
	case htmllink.Media:
		return 4
	case htmllink.Image, htmllink.CSS, htmllink.Object:
		return 3
	case htmllink.Stylesheet, htmllink.Import, htmllink.Script, htmllink.Frame:
		return 1
	}
	return 0
}

// Damage measures how much of a page its replay lacks.
type Damage struct {
	Percent     int   // weight of the missing parts among all
	Missing     int64 // parts
	First, Last time.Duration
	Counts      map[Coherence]int64
}

// Measure sums up the damage of the replay of a page, from its parts alone. First and Last are the
// offsets of the earliest and the latest part, or 0 if the page itself is that.
func Measure(all []Part) Damage {
	d := Damage{Counts: map[Coherence]int64{}}
	possible, actual := 0, 0
	for i := range all {
		p := &all[i]
		d.Counts[p.Coherence]++
		possible += weightOf(p.Kind)
		if p.Coherence == Missing {
			actual, d.Missing = actual+weightOf(p.Kind), d.Missing+1
		}
		d.First, d.Last = min(d.First, p.Offset), max(d.Last, p.Offset)
	}
	d.Percent = actual * 100 / max(1, possible)
	return d
}
