package pack

import (
	"errors"

	"quire/metadata/mets"
	"quire/preserve/aip"
	"quire/preserve/convert/mirror"
)

// useOf returns the file group of a bytestream, and "" if the profile does not list it
// (docs/reference/310_package-format.md, 2.8.4 and 3.5.1). DigitalManifestation has the bytestreams
// that render: pages with restored links instead of their originals, cleaned bytestreams instead of
// infected ones. used is the last record derived from the record; zero for none.
func (b *builder) useOf(c *content, used place) string {
	switch {
	case c.infected():
		return aip.UseViral
	case c.Part == mirror.PartFile && c.Size > 0 && used != place{}:
		return aip.UseOriginalFiles
	case b.o.Profile.itemized(), c.replaces():
		return aip.UseContainers
	}
	return ""
}

// eachPart visits the listed bytestreams of a container, with the USE of their group. Containers
// must be queried in the order of the package.
func (b *builder) eachPart(p *packed, from *derivedReader, visit func(c *content, use string) error) error {
	l := p.layout()
	return b.contents.each(p.Contents.Rows, func(c *content) error {
		if !l.holds(c) {
			return nil
		}
		_, _, used, err := from.of(place{p.N, c.Order})
		if err != nil {
			return err
		}
		if use := b.useOf(c, used); use != "" {
			return visit(c, use)
		}
		return nil
	})
}

// nested writes the bytestreams of a group as files within the open file of their container
// (docs/reference/310_package-format.md, 2.8).
func (b *builder) nested(w *mets.Writer, p *packed, from *derivedReader, group string,
	here func(*content) bool) error {
	l := p.layout()
	return b.eachPart(p, from, func(c *content, use string) error {
		if use == group && here(c) {
			b.recordFile(w, p, c, l)
		}
		return w.Err()
	})
}

var errEnough = errors.New("one is enough")

// anyNested reports whether a group lists a bytestream of the container in the current document; ""
// means any group.
func (b *builder) anyNested(p *packed, from *derivedReader, group string, here func(*content) bool) (bool, error) {
	err := b.eachPart(p, from, func(c *content, use string) error {
		if (group == "" || use == group) && here(c) {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return true, nil
	}
	return false, err
}

// partReaders returns two readers of the derivations for a pass over all containers: one for
// anyNested, one for nested.
func (b *builder) partReaders() (anyOf, each *derivedReader, stop func(), err error) {
	anyOf, err = b.derived.reader()
	if err != nil {
		return nil, nil, anyOf.stop, err
	}
	each, err = b.derived.reader()
	return anyOf, each, func() { anyOf.stop(); each.stop() }, err
}

// apartGroup writes a group that lists containers again, for bytestreams that are not below them. It
// is in each profile, because readers have to know about them.
func (b *builder) apartGroup(w *mets.Writer, use string, id func(n int) string) error {
	anyOf, each, stop, err := b.partReaders()
	defer stop()
	if err != nil {
		return err
	}
	open := false
	err = b.spool.Each(func(p packed) error {
		if p.Container == nil {
			return nil
		}
		some, err := b.anyNested(&p, anyOf, use, b.inPackage)
		if err != nil || !some {
			return err
		}
		if !open {
			open = true
			w.StartFileGrp(mets.FileGrp{Use: use})
		}
		return b.apartFile(w, &p, each, mets.File{ID: id(p.N), Use: use}, "", b.inPackage)
	})
	if open {
		w.EndFileGrp()
	}
	return err
}

// apartFile lists a container again in a document, with the bytestreams of the group that f.Use
// names.
func (b *builder) apartFile(w *mets.Writer, p *packed, from *derivedReader, f mets.File, document string,
	here func(*content) bool) error {
	f.FileCore, f.Locations = mets.FileCore{MIMEType: mimeType(*p)}, locationFrom(document, p.Dest)
	if p.layout().shape == together {
		f.Transforms = decompression(p.Container)
	}
	w.StartFile(f)
	err := b.nested(w, p, from, f.Use, here)
	w.EndFile()
	return err
}
