package pack

import (
	"errors"

	"quire/format/warc"
	"quire/model"
	"quire/preserve/convert/mirror"
	"quire/preserve/inspect"
)

// collect keeps the data of a record that the METS needs.
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
	b.own.see(p, r)
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
		c.Stored = -1 // the member's position is known, but not every tool can inflate it
	} else if c.Stored <= 0 {
		p.Contents.Shared++
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

// ofMirror reports whether the record is a page with restored links, or may be the original file of
// such a page.
func (c *content) ofMirror() bool { return c.rewritten() || c.Part == mirror.PartFile }

// rewritten reports whether the record is a page whose links were restored to their targets on the
// web (docs/reference/430_mirrors.md). The record refers to the file as found, from which the page
// is derived.
func (c *content) rewritten() bool { return c.Part == mirror.PartPayload && c.RefersTo != "" }

// partCleaned marks the cleaner's results in the rows.
const partCleaned = "cleaned"

// cleaned reports whether the record is a cleaned version of an infected one.
func (c *content) cleaned() bool { return c.Part == partCleaned && !c.infected() }

// infected reports whether the scanner found a virus in the record.
func (c *content) infected() bool { return c.Scan == model.ScanInfected && c.Size > 0 }

// replaces reports whether the record renders instead of its source. Such records are described in
// every profile, because readers have to know about them.
func (c *content) replaces() bool { return c.rewritten() || c.cleaned() }
