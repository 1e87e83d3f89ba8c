package pictures

import (
	"image"
	"slices"
)

// Colours are the classes of colours, by the numbers in the index. The first is unknown.
var Colours = []string{"", "grey", "red", "orange", "yellow", "green", "blue", "purple"}

// hues are the upper ends of the classes from red on, in degrees of the colour circle.
var hues = []struct {
	to     int
	colour string
}{{15, "red"}, {45, "orange"}, {70, "yellow"}, {170, "green"}, {260, "blue"}, {330, "purple"}, {360, "red"}}

// colourOf returns the number of the class that most pixels with a colour have. A picture with few of
// them is grey: black, white, and what is between.
func colourOf(m image.Image) int {
	const steps = 48
	b := m.Bounds()
	counts := map[string]int{}
	coloured, all := 0, 0
	for y := range min(steps, b.Dy()) {
		for x := range min(steps, b.Dx()) {
			at := b.Min.Add(image.Pt(x*b.Dx()/min(steps, b.Dx()), y*b.Dy()/min(steps, b.Dy())))
			r, g, bl, a := m.At(at.X, at.Y).RGBA()
			if a < 0x8000 {
				continue // the page shows through
			}
			all++
			if hue, ok := hueOf(int(r>>8), int(g>>8), int(bl>>8)); ok {
				coloured++
				i := slices.IndexFunc(hues, func(h struct {
					to     int
					colour string
				}) bool {
					return hue < h.to
				})
				counts[hues[max(0, i)].colour]++
			}
		}
	}
	best := "grey"
	for _, colour := range Colours[2:] {
		if coloured*8 >= all && counts[colour] > counts[best] {
			best = colour
		}
	}
	if all == 0 {
		best = ""
	}
	return slices.Index(Colours, best)
}

// hueOf returns the hue of a pixel in degrees; ok is false for a dark or pale one.
func hueOf(r, g, b int) (hue int, ok bool) {
	high, low := max(r, g, b), min(r, g, b)
	spread := high - low
	if high < 40 || spread*4 < high {
		return 0, false
	}
	switch high {
	case r:
		hue = 60 * (g - b) / spread
	case g:
		hue = 120 + 60*(b-r)/spread
	default:
		hue = 240 + 60*(r-g)/spread
	}
	return (hue + 360) % 360, true
}
