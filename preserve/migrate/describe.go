package migrate

import (
	"bufio"
	"cmp"
	"crypto/sha512"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// edit replaces a stretch of the METS, which may be empty.
type edit struct {
	place
	write func(io.Writer) error
}

// describe writes the new METS, and its digest.
func (j *job) describe() error {
	if err := j.writeDocument(); err != nil {
		return err
	}
	old, err := os.Open(filepath.Join(j.pkg, aip.METSName))
	if err != nil {
		return err
	}
	defer func() { _ = old.Close() }() // it was only read
	h := sha512.New()
	err = j.write(aip.METSName, func(out io.Writer) error {
		return splice(io.MultiWriter(out, h), old, j.edits())
	})
	if err != nil {
		return fmt.Errorf("describing the package: %w", err)
	}
	return j.write(aip.DigestName, func(out io.Writer) error {
		_, err := out.Write(aip.DigestLine(hex.EncodeToString(h.Sum(nil))))
		return err
	})
}

// write writes a file of the new package.
func (j *job) write(name string, content func(io.Writer) error) error {
	f, err := create(filepath.Join(j.out, name))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 256<<10)
	return errors.Join(content(out), out.Flush(), f.Sync(), f.Close())
}

// edits returns all changes of the old METS.
func (j *job) edits() []edit {
	o := j.outline
	at := func(n int64, in mets.Parent, write func(*mets.Writer) error) edit {
		return edit{place{n, n}, j.part(in, write)}
	}
	edits := []edit{at(o.sections, mets.InMets, j.sections), at(o.files, mets.InFileGrp, j.file),
		at(o.sections, mets.InMets, j.indexSection)}
	if o.single {
		edits = append(edits, at(o.sections, mets.InMets, j.records))
	} else {
		edits = append(edits, at(o.sections, mets.InMets, j.documentSection))
	}
	if o.indexes > 0 {
		edits = append(edits, at(o.indexes, mets.InFileGrp, j.indexFile))
	} else {
		edits = append(edits, at(o.groups, mets.InFileSec, j.indexGroup))
	}
	switch {
	case o.single:
	case o.mets > 0:
		edits = append(edits, at(o.mets, mets.InFileGrp, j.documentFile))
	default:
		edits = append(edits, at(o.groups, mets.InFileSec, j.documentGroup))
	}
	if o.header.to > 0 {
		edits = append(edits, edit{o.header, j.header})
	}
	if o.agent > 0 {
		edits = append(edits, edit{place{o.agent, o.agent}, func(out io.Writer) error {
			return aip.WriteEditor(out, j.o.Agent)
		}})
	}
	for _, m := range o.maps {
		all := []func(*mets.Writer) error{j.manifestation}
		switch {
		case m.kind == "physical" && m.top == folderType:
			all = j.folders()
		case m.kind == "physical":
			all[0] = j.physical
		}
		for _, write := range all {
			edits = append(edits, at(m.at, mets.InDiv, write))
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	return edits
}

// part writes an inserted element, indented like Quire's METS.
func (j *job) part(in mets.Parent, write func(*mets.Writer) error) func(io.Writer) error {
	before, behind, spaces := "  ", "    ", []mets.NamespaceDecl(nil)
	if in == mets.InMets {
		before, behind, spaces = "", "  ", mets.WebArchive
		if j.legacy() {
			spaces = mets.WebArchiveLegacy
		}
	}
	if in == mets.InFileSec {
		behind = "  "
	}
	return func(out io.Writer) error {
		if _, err := io.WriteString(out, before); err != nil {
			return err
		}
		w := mets.NewPart(out, in, spaces, mets.Options{})
		if err := write(w); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		_, err := io.WriteString(out, behind)
		return err
	}
}

// splice copies a file with the edits applied.
func splice(out io.Writer, old io.ReaderAt, edits []edit) error {
	at := int64(0)
	for _, e := range edits {
		if _, err := io.Copy(out, io.NewSectionReader(old, at, e.from-at)); err != nil {
			return err
		}
		if err := e.write(out); err != nil {
			return err
		}
		at = e.to
	}
	_, err := io.Copy(out, io.NewSectionReader(old, at, 1<<62))
	return err
}

// recordStatus is the status of a rewritten METS (clause 2.2).
const recordStatus = "UPDATED"

// header rewrites the start tag of metsHdr with the date of the change and the new status.
func (j *job) header(out io.Writer) error {
	d := xml.NewDecoder(strings.NewReader(j.outline.tag))
	token, err := d.RawToken()
	if err != nil {
		return err
	}
	start, _ := token.(xml.StartElement)
	b := append([]byte("<"), qualified(start.Name)...)
	for _, a := range start.Attr {
		if name := qualified(a.Name); name != "LASTMODDATE" && name != "RECORDSTATUS" {
			b, _ = xmlstream.AppendAttr(append(append(append(b, ' '), name...), '=', '"'), a.Value)
			b = append(b, '"')
		}
	}
	b = fmt.Appendf(b, ` LASTMODDATE="%s" RECORDSTATUS="%s"`, j.o.Date.UTC().Format(time.RFC3339), recordStatus)
	if strings.HasSuffix(j.outline.tag, "/>") {
		b = append(b, '/')
	}
	_, err = out.Write(append(b, '>'))
	return err
}

// qualified returns a name as written: the decoder did not resolve the prefix.
func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
