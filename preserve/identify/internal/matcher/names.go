// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

import "path"

// names has the formats of file name extensions and of globs.
type names struct {
	extensions map[string][]int
	globs      []string
	globIDs    [][]int
}

func (d *decoder) names() *names {
	if !d.bool() {
		return nil
	}
	n := &names{extensions: map[string][]int{}}
	for range d.count() {
		k := d.string()
		n.extensions[k] = d.smallInts()
	}
	n.globs = d.strings()
	n.globIDs = make([][]int, d.count())
	for i := range n.globIDs {
		n.globIDs[i] = d.ints()
	}
	return n
}

// mimes has the formats of declared media types.
type mimes map[string][]int

func (d *decoder) mimes() mimes {
	m := mimes{}
	for range d.count() {
		k := d.string()
		m[k] = d.smallInts()
	}
	return m
}

// find calls found with each format that the extension or the name suggests, and the evidence.
func (n *names) find(extension string, found func(signature int, basis string)) {
	if n == nil {
		return
	}
	for _, i := range n.extensions[extension] {
		found(i, "extension match "+extension)
	}
	for i, glob := range n.globs {
		if ok, err := path.Match(glob, namePrefix+extension); ok && err == nil {
			for _, j := range n.globIDs[i] {
				found(j, "glob match "+glob)
			}
			return
		}
	}
}

// find calls found with each format that the media type suggests, and the evidence.
func (m mimes) find(mime string, found func(signature int, basis string)) {
	for _, i := range m[mime] {
		found(i, "mime match "+mime)
	}
}

// namePrefix is the name of every file, before its extension.
const namePrefix = "payload."
