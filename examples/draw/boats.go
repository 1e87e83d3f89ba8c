package main

import (
	"image"
	"image/color"
	"image/gif"
)

// point is a position on a boat, in hundredths of the boat's width: from its middle, and up from
// the waterline.
type point struct{ x, y int }

// shape is a filled polygon of one colour.
type shape struct {
	fill   color.RGBA
	corner []point
}

// light is the colour of sky and sea at one hour.
type light struct{ zenith, horizon, sea color.RGBA }

var (
	noon    = light{color.RGBA{120, 170, 205, 255}, color.RGBA{225, 236, 240, 255}, color.RGBA{70, 112, 130, 255}}
	evening = light{color.RGBA{72, 82, 120, 255}, color.RGBA{236, 178, 130, 255}, color.RGBA{58, 66, 84, 255}}

	tar    = color.RGBA{36, 51, 59, 255}
	canvas = color.RGBA{247, 242, 231, 255}
	barked = color.RGBA{161, 52, 43, 255}
	lamp   = color.RGBA{255, 221, 120, 255}
)

var (
	hull    = shape{tar, []point{{-46, 8}, {-38, -6}, {32, -6}, {50, 10}}}
	gaffRig = []shape{hull, {tar, []point{{-1, 8}, {-1, 72}, {1, 72}, {1, 8}}},
		{canvas, []point{{-2, 12}, {-2, 52}, {-34, 66}, {-40, 14}}}, {canvas, []point{{3, 14}, {3, 60}, {42, 14}}}}
	lugRig = []shape{hull, {barked, []point{{6, 12}, {0, 62}, {34, 54}, {40, 14}}},
		{barked, []point{{-38, 12}, {-40, 44}, {-10, 50}, {-6, 14}}}}
	cutterRig = []shape{hull, {tar, []point{{5, 8}, {5, 84}, {7, 84}, {7, 8}}},
		{barked, []point{{4, 12}, {4, 56}, {-36, 74}, {-44, 14}}}, {canvas, []point{{8, 14}, {8, 58}, {30, 14}}},
		{canvas, []point{{32, 14}, {8, 66}, {54, 16}}}}
)

// boatAt paints the boats side by side on a sea.
func boatAt(width, height int, l light, rigs ...[]shape) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	waterline := height * 4 / 5
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, l.at(y, waterline))
		}
	}
	room := width / len(rigs)
	for i, rig := range rigs {
		middle := image.Pt(room*i+room/2, waterline)
		for _, s := range rig {
			fill(m, s, middle, min(room, height)*9/10)
		}
	}
	return m
}

// at returns the colour of one row. The sky pales towards the horizon; the sea has one colour.
func (l light) at(y, waterline int) color.RGBA {
	if y >= waterline {
		return l.sea
	}
	mix := func(a, b uint8) uint8 { return uint8((int(a)*(waterline-y) + int(b)*y) / waterline) }
	return color.RGBA{mix(l.zenith.R, l.horizon.R), mix(l.zenith.G, l.horizon.G), mix(l.zenith.B, l.horizon.B), 255}
}

// fill paints a polygon by the even-odd rule and tests each pixel. This is slow but simple, and
// fast enough for small pictures.
func fill(m *image.RGBA, s shape, middle image.Point, width int) {
	corner := make([]image.Point, len(s.corner))
	for i, p := range s.corner {
		corner[i] = middle.Add(image.Pt(p.x*width/100, -p.y*width/100))
	}
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			if inside(corner, x, y) {
				m.SetRGBA(x, y, s.fill)
			}
		}
	}
}

// inside counts the edges to the right of a position. An odd count means inside.
func inside(corner []image.Point, x, y int) bool {
	in := false
	for i, a := range corner {
		b := corner[(i+1)%len(corner)]
		if (a.Y > y) != (b.Y > y) && x < (b.X-a.X)*(y-a.Y)/(b.Y-a.Y)+a.X {
			in = !in
		}
	}
	return in
}

// waves draws the repeated strip below the site's header.
func waves(width, height int) image.Image {
	m := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Transparent, noon.sea})
	for x := range width {
		arch := x % 32
		if arch > 16 {
			arch = 32 - arch
		}
		for y := height - 2 - arch/3; y < height; y++ {
			m.SetColorIndex(x, y, 1)
		}
	}
	return m
}

// beacon draws an animation of two frames: dark for two seconds, lit for half a second.
func beacon(width, height int) *gif.GIF {
	colours := color.Palette{noon.horizon, barked, tar, lamp}
	g := &gif.GIF{Delay: []int{200, 50}}
	for _, light := range []uint8{2, 3} {
		m := image.NewPaletted(image.Rect(0, 0, width, height), colours)
		for y := height / 6; y < height; y++ {
			half := width/8 + y*width/(height*5)
			for x := width/2 - half; x < width/2+half; x++ {
				switch {
				case y < height/3:
					m.SetColorIndex(x, y, light)
				default:
					m.SetColorIndex(x, y, 1)
				}
			}
		}
		g.Image = append(g.Image, m)
	}
	return g
}
