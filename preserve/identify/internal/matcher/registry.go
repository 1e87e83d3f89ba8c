// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

// registry has the formats of PRONOM, and which signature is whose.
type registry struct {
	name, details                          string
	multi                                  int
	zipDefault                             bool
	hasClass                               bool
	names, mimes, containers, bytes, texts index
	formats                                map[string]format
	preferred                              map[string][]string // for each format, those preferred to it
}

// index has the format of each signature of one kind.
type index struct {
	start int
	ids   []string
	of    map[string][]int // the signatures of each format
}

type format struct{ name, version, mime string }

func (d *decoder) index() index {
	x := index{start: d.int(), ids: d.strings(), of: map[string][]int{}}
	for i, id := range x.ids {
		x.of[id] = append(x.of[id], x.start+i)
	}
	return x
}

func (d *decoder) registry() *registry {
	if kind := d.byte(); kind != 0 {
		d.fail(errUnsupported)
		return nil
	}
	r := &registry{name: d.string(), details: d.string(), multi: d.tinyInt(), zipDefault: d.bool(),
		names: d.index(), mimes: d.index(), containers: d.index()}
	_ = d.index() // XML
	r.bytes = d.index()
	_ = d.index() // RIFF
	r.texts = d.index()
	r.hasClass = d.bool()
	r.formats, r.preferred = map[string]format{}, map[string][]string{}
	for range d.count() {
		k := d.string()
		r.formats[k] = format{d.string(), d.string(), d.string()}
		if r.hasClass {
			_ = d.string()
		}
		if r.multi == multiDROID {
			r.preferred[k] = d.strings()
		}
	}
	return r
}
