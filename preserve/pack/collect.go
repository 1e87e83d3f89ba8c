package pack

import (
	"errors"

	"quire/format/warc"
	"quire/model"
	"quire/preserve/convert/mirror"
	"quire/preserve/inspect"
)

// collect remembers a record of the container that is read, as far as the METS will tell it.
func (b *builder) collect(p *packed, r *model.Record) error {
	if r.DedupEvidence != "" {
		p.Contents.Deduped++
	}
	if err := errors.Join(b.infected(p, r), b.redirected(r)); err != nil {
		return err
	}
	if r.Describes != "" {
		b.attached++
	}
	if err := b.described.see(p, r); err != nil {
		return err
	}
	if r.Body == nil || b.o.bodies() != inspect.AllBodies && r.Part == "" {
		return nil
	}
	if r.Length < 0 {
		p.Contents.Broken++
		return nil
	}
	c := contentOf(r)
	if r.BadMember {
		c.Stored = -1 // it is known where the member lies, but not that everybody can inflate it
	}
	if p.Cleaned && c.Type == warc.TypeConversion {
		c.Part = partCleaned
		b.infections.judge(c.Scan)
	}
	if !b.o.Profile.itemized() && !c.ofMirror() && !c.infected() && !c.cleaned() {
		return nil
	}
	return b.contents.add(&c)
}

// ofMirror says whether the record is a page whose links were turned back, or may be the file that
// such a page was made of.
func (c *content) ofMirror() bool { return c.rewritten() || c.Part == mirror.PartFile }

// rewritten says whether the record is a page whose links were turned back to what they were on the
// web (docs/reference/430_mirrors.md). It refers to the file as found, from which it is derived.
func (c *content) rewritten() bool { return c.Part == mirror.PartPayload && c.RefersTo != "" }

// partCleaned marks, in the rows, what the cleaner made.
const partCleaned = "cleaned"

// cleaned says whether the record is what a program made of something infected.
func (c *content) cleaned() bool { return c.Part == partCleaned && !c.infected() }

// infected says whether the scanner found something in the record.
func (c *content) infected() bool { return c.Scan == model.ScanInfected && c.Size > 0 }

// transformed says whether the record stands among what was rewritten.
func (c *content) transformed() bool { return c.rewritten() && !c.infected() }

// setApart says whether the record stands in a group of its own, and not below its container: in
// every profile, since a reader has to know of it.
func (c *content) setApart() bool { return c.rewritten() || c.infected() || c.cleaned() }
