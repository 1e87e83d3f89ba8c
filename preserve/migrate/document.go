package migrate

import (
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
)

// document is the METS of the records of the new container (clause 2.18).
type document struct {
	path   string
	size   int64
	sha512 string
}

// writeDocument writes the METS of the records of the new container, unless the METS of the package
// is one document.
func (j *job) writeDocument() error {
	if j.outline.single {
		return nil
	}
	j.document.path = aip.ContainerMETSOf(j.name)
	h, size := sha512.New(), &counter{}
	err := j.write(j.document.path, func(out io.Writer) error {
		return aip.WriteDocument(io.MultiWriter(out, h, size), func(text io.Writer) error {
			w := mets.NewWriter(text, mets.Options{Compact: true})
			return errors.Join(j.documentContent(w), w.Close())
		})
	})
	if err != nil {
		return fmt.Errorf("writing %s: %w", j.document.path, err)
	}
	j.document.size, j.document.sha512 = size.n, hex.EncodeToString(h.Sum(nil))
	return nil
}

// counter counts bytes.
type counter struct{ n int64 }

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

func (j *job) documentContent(w *mets.Writer) error {
	spaces := mets.WebArchive
	if j.legacy() {
		spaces = mets.WebArchiveLegacy
	}
	w.Start(mets.Root{ObjID: j.old.ID + "/" + j.document.path, Label: j.name, Type: aip.Type,
		Profile: aip.ProfileContainerMETS, Namespaces: spaces})
	w.Header(mets.Header{Created: j.o.Date, RecordStatus: "NEW", Agents: []mets.Agent{{Role: "CREATOR", Type: "OTHER",
		OtherType: "SOFTWARE", Name: j.o.Agent.Name, Notes: []string{j.o.Agent.Version}}}})
	if err := j.records(w); err != nil {
		return err
	}
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: aip.UseContainers})
	if err := j.fileWithRecords(w, j.containerFile(j.document.path)); err != nil {
		return err
	}
	w.EndFileGrp()
	w.EndFileSec()
	w.StartStructMap(mets.StructMap{Type: "physical"})
	w.StartDiv(mets.Div{Type: "container", Label: j.name})
	w.Fptr(mets.Fptr{FileID: aip.ContainerFileID(j.number)})
	err := j.members(w)
	w.EndDiv()
	w.EndStructMap()
	w.StartStructMap(mets.StructMap{Type: "logical"})
	w.StartDiv(mets.Div{Type: "manifestation", Label: j.manifestationLabel()})
	err = errors.Join(err, j.conversions(w))
	w.EndDiv()
	w.EndStructMap()
	return errors.Join(err, w.Err())
}

// documentFile writes the document into the fileSec of mets.xml.
func (j *job) documentFile(w *mets.Writer) error {
	w.File(mets.File{
		ID: aip.ContainerMETSFileID(j.number), GroupID: aip.ContainerFileID(j.number),
		AdmID: append([]string{aip.FileAmdID(aip.ContainerMETSFileID(j.number))}, j.restrictions()...),
		FileCore: mets.FileCore{MIMEType: "application/gzip", Size: xmlstream.IntOf(j.document.size),
			Checksum: j.document.sha512, ChecksumType: string(model.SHA512)},
		Locations:  []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(j.document.path)}}},
		Transforms: []mets.Transform{{Type: "decompression", Algorithm: "application/gzip", Order: 1}},
	})
	return w.Err()
}

// documentGroup writes the document in a package without a group for it.
func (j *job) documentGroup(w *mets.Writer) error {
	w.StartFileGrp(mets.FileGrp{Use: aip.UseMETS})
	err := j.documentFile(w)
	w.EndFileGrp()
	return err
}
