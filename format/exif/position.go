package exif

import (
	"math"
	"strconv"
	"strings"
)

// position returns the position from the GPS fields (Exif 3.0, 4.6.7), or nil if latitude or
// longitude is missing or invalid.
func (f *Facts) position() *Position {
	values := map[string]string{}
	for _, field := range f.Fields {
		if field.Directory == "GPS" {
			values[field.Name] = field.Value
		}
	}
	latitude, ok := degrees(values["GPSLatitude"], values["GPSLatitudeRef"], "N", "S", 90)
	longitude, also := degrees(values["GPSLongitude"], values["GPSLongitudeRef"], "E", "W", 180)
	if !ok || !also {
		return nil
	}
	p := &Position{Latitude: latitude, Longitude: longitude}
	if metres, ok := rational(values["GPSAltitude"]); ok {
		if below := values["GPSAltitudeRef"]; below == "1" || below == "3" {
			metres = -metres
		}
		p.Altitude = &metres
	}
	return p
}

// degrees parses degrees, minutes and seconds.
func degrees(value, side, positive, negative string, most float64) (float64, bool) {
	parts := strings.Fields(value)
	if len(parts) != 3 || side != positive && side != negative {
		return 0, false
	}
	sum, unit := 0.0, 1.0
	for _, part := range parts {
		n, ok := rational(part)
		if !ok {
			return 0, false
		}
		sum, unit = sum+n*unit, unit/60
	}
	if sum > most {
		return 0, false
	}
	if side == negative {
		sum = -sum
	}
	const precise = 1e7 // a centimetre
	return math.Round(sum*precise) / precise, true
}

// rational parses "1/60". Some cameras write missing minutes and seconds as 0/0.
func rational(s string) (float64, bool) {
	above, below, ok := strings.Cut(s, "/")
	n, err := strconv.ParseFloat(above, 64)
	d, errBelow := strconv.ParseFloat(below, 64)
	switch {
	case !ok || err != nil || errBelow != nil:
		return 0, false
	case n == 0 && d == 0:
		return 0, true
	}
	return n / d, d != 0
}
