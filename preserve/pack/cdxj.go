package pack

import (
	"io"
	"time"

	"quire/metadata/mets"
	"quire/preserve/aip"
	"quire/preserve/cdxj"
)

// writeLines writes the index of the captures of the last pass
// (docs/reference/310_package-format.md, 2.17). It is derived from the container and not part of the
// source, so the package's identifier does not depend on it.
func (b *builder) writeLines(p *packed) error {
	p.Lines = aip.MadeFile{ID: aip.IndexFileID(p.N), Container: aip.ContainerFileID(p.N), Path: aip.IndexOf(p.Dest)}
	err := b.write(p.Lines.Path, time.Time{}, func(dst io.Writer) error {
		return p.Lines.Write(dst, func(out io.Writer) error {
			_, err := b.lines.Write(out, cdxj.Container{Path: p.Dest, Size: p.Size, SHA512: p.SHA512})
			return err
		})
	})
	b.result.Bytes += p.Lines.Size
	return err
}

// lineFiles writes the group of the CDXJ indexes. Each belongs to the container with its GROUPID as
// ID, and has the same access restrictions.
func (b *builder) lineFiles(w *mets.Writer) error {
	w.StartFileGrp(mets.FileGrp{Use: aip.UseIndexes})
	err := b.spool.Each(func(p packed) error {
		if p.Container == nil {
			return nil
		}
		p.Lines.Restrictions = b.restrictionsOf(p.Restricted)
		w.File(p.Lines.Element())
		return w.Err()
	})
	w.EndFileGrp()
	return err
}

// indexDiv writes the CDXJ index in the structMap, below its container.
func indexDiv(w *mets.Writer, n int) {
	w.StartDiv(mets.Div{Type: "index"})
	w.Fptr(mets.Fptr{FileID: aip.IndexFileID(n)})
	w.EndDiv()
}
