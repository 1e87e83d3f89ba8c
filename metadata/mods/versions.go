package mods

import (
	"cmp"
	"slices"
)

// In returns the record in another version. MODS 3.4 has no type of event, so the type becomes the
// label.
func (r Record) In(version string) Record {
	r.Version = version
	if version == Version34 {
		r.Content = untyped(r.Content)
	}
	return r
}

func untyped(c Content) Content {
	c.Origins = slices.Clone(c.Origins)
	for i := range c.Origins {
		o := &c.Origins[i]
		o.Label = cmp.Or(o.Label, o.EventType)
		o.EventType, o.EventTypeURI = "", ""
	}
	c.Related = slices.Clone(c.Related)
	for i := range c.Related {
		c.Related[i].Content = untyped(c.Related[i].Content)
	}
	return c
}
