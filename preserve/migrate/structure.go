package migrate

import (
	"fmt"
	"path"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/characterize"
)

// file writes the new container into the fileSec, with its records as files within it, whatever the
// profile. So the METS alone leads to each conversion (docs/reference/310_package-format.md, 2.8).
func (j *job) file(w *mets.Writer) error {
	n, c := j.number, j.container
	w.StartFile(mets.File{
		ID: aip.ContainerFileID(n), GroupID: aip.ContainerFileID(n),
		FileCore: mets.FileCore{
			MIMEType: characterize.MediaType(c), Size: xmlstream.IntOf(c.Bytes), Checksum: c.SHA512,
			ChecksumType: string(model.SHA512),
		},
		AdmID: []string{
			aip.ContainerObjID(n), aip.ContainerMDID(n), aip.ContainerDigestEventID(n), aip.MigrationEventID(n),
			aip.ContainerEventID(n),
		},
		Locations: []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(j.name)}}},
	})
	err := j.placed.Each(func(p placed) error {
		j.recordFile(w, &p)
		return w.Err()
	})
	w.EndFile()
	return err
}

// indexFile writes the CDXJ index of the new container (clause 2.17).
func (j *job) indexFile(w *mets.Writer) error {
	w.File(mets.File{
		ID: aip.IndexFileID(j.number), GroupID: aip.ContainerFileID(j.number),
		AdmID: []string{aip.IndexObjID(j.number), aip.ContainerDigestEventID(j.number),
			aip.ContainerEventID(j.number)},
		FileCore: mets.FileCore{MIMEType: "application/gzip", Size: xmlstream.IntOf(j.lines.size),
			Checksum: j.lines.sha512, ChecksumType: string(model.SHA512)},
		Locations:  []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(j.lines.path)}}},
		Transforms: []mets.Transform{{Type: "decompression", Algorithm: "application/gzip", Order: 1}},
	})
	return w.Err()
}

// indexGroup writes the index in a package without an index group.
func (j *job) indexGroup(w *mets.Writer) error {
	w.StartFileGrp(mets.FileGrp{Use: aip.UseIndexes})
	err := j.indexFile(w)
	w.EndFileGrp()
	return err
}

// recordFile writes a record: its gzip member, the record, its body.
func (j *job) recordFile(w *mets.Writer, p *placed) {
	n := j.number
	part := func(id string, from, size int64, media string) mets.File {
		return mets.File{
			ID: id, Begin: xmlstream.IntOf(from), End: xmlstream.IntOf(from + size - 1),
			FileCore: mets.FileCore{MIMEType: media, Size: xmlstream.IntOf(size)},
		}
	}
	gzip := characterize.CompressionType(j.container.Compression)
	member := part(aip.MemberFileID(n, p.Order), p.Offset, p.Stored, gzip)
	member.Transforms = []mets.Transform{{Type: "decompression", Algorithm: gzip, Order: 1}}
	w.StartFile(member)
	record := part(aip.RecordFileID(n, p.Order), 0, p.Length, characterize.MediaType(j.container))
	record.OwnerID = strings.Trim(p.ID, "<>")
	w.StartFile(record)
	if p.Size > 0 { // an empty output is a failure, and a warcinfo is never empty
		body := part(aip.BodyFileID(n, p.Order), p.BodyAt, p.Size, p.MIME)
		body.OwnerID, body.Checksum, body.ChecksumType = p.URI, p.SHA256, string(model.SHA256)
		body.AdmID = []string{aip.BodyObjID(n, p.Order), aip.ContainerDigestEventID(n), aip.MigrationEventID(n),
			aip.ContainerFormatEventID(n)}
		w.File(body)
	}
	w.EndFile()
	w.EndFile()
}

// manifestation writes the second manifestation into a logical structMap: the bytestreams that
// render the same entities now.
func (j *job) manifestation(w *mets.Writer) error {
	n := j.number
	w.StartDiv(mets.Div{
		Type: "manifestation", Label: fmt.Sprintf("%s to %s, %s", j.o.words(), bare(j.o.Rule.MIME),
			j.o.Date.Format("2006-01-02 15:04:05 MST")),
		AdmID: []string{aip.ContainerObjID(n), aip.MigrationEventID(n)},
	})
	j.containerDiv(w)
	w.EndDiv()
	err := j.placed.Each(func(p placed) error {
		if !p.Made {
			return nil
		}
		kind := "associated object"
		if isPage(&p) {
			kind = "web page"
		}
		w.StartDiv(mets.Div{Type: kind, Label: p.URI, OrderLabel: p.From.Of.Date,
			XLinkLabel: fmt.Sprintf("P-c%d-b%d", n, p.Order)})
		w.Fptr(mets.Fptr{FileID: aip.BodyFileID(n, p.Order)})
		w.EndDiv()
		return w.Err()
	})
	w.EndDiv()
	return err
}

// isPage reports whether a conversion is of a web page: HTML with a successful answer.
func isPage(p *placed) bool {
	answered := p.From.Of.Status == "" || len(p.From.Of.Status) == 3 && p.From.Of.Status[0] == '2'
	return answered && (p.MIME == "text/html" || p.MIME == "application/xhtml+xml")
}

// containerDiv opens the division of the new container.
func (j *job) containerDiv(w *mets.Writer) {
	w.StartDiv(mets.Div{Type: "container", Label: path.Base(j.name)})
	w.Fptr(mets.Fptr{FileID: aip.ContainerFileID(j.number)})
	w.StartDiv(mets.Div{Type: "index"})
	w.Fptr(mets.Fptr{FileID: aip.IndexFileID(j.number)})
	w.EndDiv()
}

// physical writes the new container into a physical structMap.
func (j *job) physical(w *mets.Writer) error {
	j.containerDiv(w)
	err := j.placed.Each(func(p placed) error {
		w.StartDiv(mets.Div{Type: "member", Order: xmlstream.IntOf(p.Order)})
		w.Fptr(mets.Fptr{FileID: aip.MemberFileID(j.number, p.Order)})
		w.EndDiv()
		return w.Err()
	})
	w.EndDiv()
	return err
}
