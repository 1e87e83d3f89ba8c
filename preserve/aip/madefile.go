package aip

import (
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"io"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/model"
)

// MadeFile is a file in gzip that Quire makes for a package: a CDXJ index (clause 2.17), or a METS
// document beside mets.xml (clause 2.18).
type MadeFile struct {
	ID           string // of its file element
	Container    string // ID of the container's file element that it is about; "" for the pages of a harvest
	Path         string // within the package
	Size         int64
	SHA512       string
	Restrictions []string // IDs of the amdSecs that restrict it
}

// Element returns the file element for mets.xml. Its amdSec is that of [FileAmdID].
func (m *MadeFile) Element() mets.File {
	return mets.File{
		ID: m.ID, GroupID: m.Container, AdmID: append([]string{FileAmdID(m.ID)}, m.Restrictions...),
		FileCore: mets.FileCore{MIMEType: algorithmGzip, Size: xmlstream.IntOf(m.Size), Checksum: m.SHA512,
			ChecksumType: string(model.SHA512)},
		Locations:  []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(m.Path)}}},
		Transforms: []mets.Transform{{Type: "decompression", Algorithm: algorithmGzip, Order: 1}},
	}
}

// Write passes the content of the file on to out, and records its size and digest.
func (m *MadeFile) Write(out io.Writer, content func(io.Writer) error) error {
	w := &counted{hash: sha512.New()}
	err := content(io.MultiWriter(out, w))
	m.Size, m.SHA512 = w.size, hex.EncodeToString(w.hash.Sum(nil))
	return err
}

// counted counts and digests bytes.
type counted struct {
	hash hash.Hash
	size int64
}

// Write implements io.Writer.
func (c *counted) Write(p []byte) (int, error) {
	c.size += int64(len(p))
	return c.hash.Write(p)
}
