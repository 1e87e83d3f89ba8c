package pack

import (
	"crypto/sha512"
	"encoding/hex"
	"io"
	"time"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
	"quire/preserve/cdxj"
)

// lines is the CDXJ index of a container. It is derived from the container and not part of the
// source, so the package's identifier does not depend on it.
type lines struct {
	Dest   string // path within the package
	Size   int64
	SHA512 string
}

// writeLines writes the index of the captures of the last pass
// (docs/reference/310_package-format.md, 2.17).
func (b *builder) writeLines(p *packed) error {
	h, counted := sha512.New(), &written{}
	p.Lines.Dest = aip.IndexOf(p.Dest)
	err := b.write(p.Lines.Dest, time.Time{}, func(dst io.Writer) error {
		_, err := b.lines.Write(io.MultiWriter(dst, h, counted),
			cdxj.Container{Path: p.Dest, Size: p.Size, SHA512: p.SHA512})
		return err
	})
	p.Lines.Size, p.Lines.SHA512 = counted.bytes, hex.EncodeToString(h.Sum(nil))
	b.result.Bytes += counted.bytes
	return err
}

// written counts bytes.
type written struct{ bytes int64 }

// Write implements io.Writer.
func (w *written) Write(p []byte) (int, error) {
	w.bytes += int64(len(p))
	return len(p), nil
}

// lineFiles writes the group of the CDXJ indexes. Each belongs to the container with its GROUPID as
// ID, and has the same access restrictions.
func (b *builder) lineFiles(w *mets.Writer) error {
	w.StartFileGrp(mets.FileGrp{Use: aip.UseIndexes})
	err := b.spool.Each(func(p packed) error {
		if p.Container == nil {
			return nil
		}
		f := mets.File{
			ID: aip.IndexFileID(p.N), GroupID: aip.ContainerFileID(p.N),
			AdmID: []string{aip.FileAmdID(aip.IndexFileID(p.N))},
			FileCore: mets.FileCore{MIMEType: "application/gzip", Size: xmlstream.IntOf(p.Lines.Size),
				Checksum: p.Lines.SHA512, ChecksumType: "SHA-512"},
			Locations:  []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(p.Lines.Dest)}}},
			Transforms: []mets.Transform{{Type: "decompression", Algorithm: "application/gzip", Order: 1}},
		}
		if p.Restricted != "" {
			f.AdmID = append(f.AdmID, b.restriction(p.Restricted))
		}
		w.File(f)
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
