package migrate

import (
	"errors"
	"fmt"
	"io"

	"quire/metadata/mets"
	"quire/preserve/aip"
)

// writeDocument writes the METS of the records of the new container (clause 2.18), unless the METS of
// the package is one document.
func (j *job) writeDocument() error {
	if j.outline.single {
		return nil
	}
	j.document = aip.MadeFile{ID: aip.ContainerMETSFileID(j.number), Container: aip.ContainerFileID(j.number),
		Path: aip.ContainerMETSOf(j.name), Restrictions: j.restrictions()}
	err := j.write(j.document.Path, func(out io.Writer) error {
		return aip.WriteDocument(out, &j.document, func(text io.Writer) error {
			w := mets.NewWriter(text, mets.Options{Compact: true})
			return errors.Join(j.documentContent(w), w.Close())
		})
	})
	if err != nil {
		return fmt.Errorf("writing %s: %w", j.document.Path, err)
	}
	return nil
}

func (j *job) documentContent(w *mets.Writer) error {
	spaces := mets.WebArchive
	if j.legacy() {
		spaces = mets.WebArchiveLegacy
	}
	w.Start(mets.Root{ObjID: j.old.ID + "/" + j.document.Path, Label: j.name, Type: aip.Type,
		Profile: aip.ProfileContainerMETS, Namespaces: spaces})
	w.Header(mets.Header{Created: j.o.Date, RecordStatus: "NEW", Agents: []mets.Agent{{Role: "CREATOR", Type: "OTHER",
		OtherType: "SOFTWARE", Name: j.o.Agent.Name, Notes: []string{j.o.Agent.Version}}}})
	if err := j.records(w); err != nil {
		return err
	}
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: aip.UseContainers})
	if err := j.fileWithRecords(w, j.containerFile(j.document.Path)); err != nil {
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
	w.File(j.document.Element())
	return w.Err()
}

// documentGroup writes the document in a package without a group for it.
func (j *job) documentGroup(w *mets.Writer) error {
	w.StartFileGrp(mets.FileGrp{Use: aip.UseMETS})
	err := j.documentFile(w)
	w.EndFileGrp()
	return err
}
