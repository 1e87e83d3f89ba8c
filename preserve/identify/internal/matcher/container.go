// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

import (
	"archive/zip"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/richardlehane/mscfb"
)

// The kinds of containers.
const (
	kindZIP = iota
	kindOLE2
)

// container has the signatures of documents in one kind of container: by the names of the entries,
// and by their bytes.
type container struct {
	start      int // added to the index of a match
	kind       int
	byName     map[string]*entryTest
	globs      []string
	byGlob     []*entryTest
	parts      []int // number of entries that each signature needs
	priorities priorities
	extension  string // identifies a container without a match
}

// entryTest has the signatures for entries of one name.
type entryTest struct {
	byName  []int // matched by the name alone
	byBytes []int
	bytes   *bytesMatcher
}

func (d *decoder) containers() []*container {
	if !d.bool() {
		return nil
	}
	all := make([]*container, d.tinyUint())
	for i := range all {
		starts := d.ints()
		if len(starts) != 1 {
			d.fail(errUnsupported)
			return nil
		}
		c := &container{start: starts[0], kind: d.tinyUint(), byName: map[string]*entryTest{}}
		for range d.count() {
			name := d.string()
			c.byName[name] = d.entryTest()
		}
		c.globs = d.strings()
		c.byGlob = make([]*entryTest, d.count())
		for j := range c.byGlob {
			c.byGlob[j] = d.entryTest()
		}
		c.parts, c.priorities, c.extension = d.ints(), d.priorities(), d.string()
		all[i] = c
	}
	return all
}

func (d *decoder) entryTest() *entryTest {
	return &entryTest{byName: d.ints(), byBytes: d.ints(), bytes: d.bytesMatcher()}
}

// pivot returns those of the suggested signatures that are of this container.
func (c *container) pivot(suggested []int) []int {
	var own []int
	for _, i := range suggested {
		if i >= c.start && i < c.start+len(c.parts) {
			own = append(own, i-c.start)
		}
	}
	return own
}

const triggerSize = 8 // bytes at the start that show the kind of a container

// opens reports whether the start is that of this kind of container.
func (c *container) opens(start []byte) bool {
	if c.kind == kindZIP {
		return string(start[:4]) == "PK\x03\x04"
	}
	return string(start) == "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"
}

// entries reads the entries of a container.
type entries interface {
	next() error // io.EOF after the last
	name() string
	isFolder() bool
	open() (io.ReadCloser, error)
}

func (c *container) entries(src Source) (entries, error) {
	if c.kind == kindZIP {
		z, err := zip.NewReader(readerAt{src}, src.Size())
		return &zipEntries{at: -1, zip: z}, err
	}
	r, err := mscfb.New(readerAt{src})
	return &compoundEntries{reader: r}, err
}

type zipEntries struct {
	at  int
	zip *zip.Reader
}

func (z *zipEntries) next() error {
	z.at++
	if z.at >= len(z.zip.File) {
		return io.EOF
	}
	return nil
}

func (z *zipEntries) name() string { return strings.TrimSuffix(z.zip.File[z.at].Name, "\x00") }

func (z *zipEntries) isFolder() bool { return z.zip.File[z.at].FileInfo().IsDir() }

func (z *zipEntries) open() (io.ReadCloser, error) { return z.zip.File[z.at].Open() }

type compoundEntries struct {
	reader *mscfb.Reader
	entry  *mscfb.File
}

func (c *compoundEntries) next() (err error) {
	c.entry, err = c.reader.Next()
	return err
}

func (c *compoundEntries) name() string {
	return strings.Join(append(c.entry.Path, c.entry.Name), "/")
}

func (c *compoundEntries) isFolder() bool { return c.entry.FileInfo().IsDir() }

func (c *compoundEntries) open() (io.ReadCloser, error) { return io.NopCloser(c.entry), nil }

// part is an entry that matched, as evidence for a signature.
type part struct {
	signature   int
	name, basis string
}

// opened is one container during identification.
type opened struct {
	*container
	parts    [][]part // the entries that matched, by signature
	ruledOut []bool   // signatures that cannot match any more
	wait     waitSet
	hits     []part // of the current entry
	matched  bool
	report   func(signature int, basis string)
}

// identify calls report with each signature that matches.
func (c *container) identify(src Source, pivot []int, report func(signature int, basis string)) error {
	list, err := c.entries(src)
	if err != nil {
		return err
	}
	o := &opened{container: c, parts: make([][]part, len(c.parts)), ruledOut: make([]bool, len(c.parts)),
		wait: c.priorities.waitSet(pivot), report: report}
	for list.next() == nil {
		if o.entry(list) {
			break
		}
	}
	if !o.matched {
		report(-1, "")
	}
	return nil
}

// entry tests one entry, and reports whether no further entry counts.
func (o *opened) entry(list entries) bool {
	name := list.name()
	if test, ok := o.byName[name]; ok {
		o.test(test, list, name)
		return o.count(test, name)
	}
	for i, glob := range o.globs {
		if ok, err := filepath.Match(glob, name); !ok || err != nil {
			continue
		}
		o.test(o.byGlob[i], list, name)
		if o.count(o.byGlob[i], name) {
			return true
		}
	}
	return false
}

// test collects the signatures that the entry matches.
func (o *opened) test(t *entryTest, list entries, name string) {
	o.hits = o.hits[:0]
	for _, i := range t.byName {
		if o.wait.check(i) {
			o.hits = append(o.hits, part{i, name, "name only"})
		}
	}
	if len(t.byBytes) == 0 || t.bytes == nil || list.isFolder() {
		return
	}
	r, err := list.open()
	if err != nil {
		return
	}
	t.bytes.identify(newEntry(r), nil, func(signature int, basis string) {
		i := t.byBytes[signature]
		if o.wait.check(i) && !slices.ContainsFunc(o.hits, func(p part) bool { return p.signature == i }) {
			o.hits = append(o.hits, part{i, name, basis})
		}
	})
	_ = r.Close() // it was only read
}

// count counts the hits of an entry, and reports whether no further entry counts.
func (o *opened) count(t *entryTest, name string) bool {
	for _, h := range o.hits {
		i := h.signature
		o.parts[i] = append(o.parts[i], h)
		if len(o.parts[i]) != o.container.parts[i] || !o.wait.check(i) {
			continue
		}
		o.matched = true
		o.report(i, basisOf(o.parts[i]))
		if o.wait.putContainer(i) {
			return true
		}
	}
	if len(o.hits) == len(t.byName)+len(t.byBytes) && len(o.hits) > 0 {
		return false
	}
	o.ruleOut(t.byName, name)
	o.ruleOut(t.byBytes, name)
	if len(o.hits) == 0 {
		return false
	}
	waiting := o.wait.waitingOn()
	return waiting != nil && !slices.ContainsFunc(waiting, func(i int) bool { return !o.ruledOut[i] })
}

// ruleOut excludes the signatures that the entry did not match.
func (o *opened) ruleOut(signatures []int, name string) {
	for _, i := range signatures {
		if n := len(o.parts[i]); len(o.hits) == 0 || n == 0 || o.parts[i][n-1].name != name {
			o.ruledOut[i] = true
		}
	}
}

func basisOf(parts []part) string {
	var b strings.Builder
	for i, p := range parts {
		if i == 0 {
			b.WriteString("container ")
		} else {
			b.WriteString("; ")
		}
		b.WriteString("name " + p.name)
		if p.basis != "" {
			b.WriteString(" with " + p.basis)
		}
	}
	return b.String()
}
