package migrate

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/characterize"
)

// file writes the new container into the fileSec. A single METS has its records as files within it,
// whatever the profile: the METS alone leads to each conversion
// (docs/reference/310_package-format.md, 2.8).
func (j *job) file(w *mets.Writer) error {
	f := j.containerFile(aip.METSName)
	f.GroupID = f.ID
	f.AdmID = append([]string{aip.ContainerAmdID(j.number)}, j.restrictions()...)
	if !j.outline.single {
		f.Transforms = j.decompression()
		w.File(f)
		return w.Err()
	}
	return j.fileWithRecords(w, f)
}

// containerFile describes the new container for a METS document.
func (j *job) containerFile(document string) mets.File {
	return mets.File{
		ID: aip.ContainerFileID(j.number),
		FileCore: mets.FileCore{
			MIMEType: characterize.MediaType(j.container), Size: xmlstream.IntOf(j.container.Bytes),
			Checksum: j.container.SHA512, ChecksumType: string(model.SHA512),
		},
		Locations: []mets.FLocat{{Location: mets.Location{LocType: "URL",
			Href: mets.Href(aip.Relative(document, j.name))}}},
	}
}

func (j *job) decompression() []mets.Transform {
	return []mets.Transform{{Type: "decompression", Algorithm: characterize.CompressionType(j.container.Compression),
		Order: 1}}
}

func (j *job) fileWithRecords(w *mets.Writer, f mets.File) error {
	w.StartFile(f)
	err := j.placed.Each(func(p placed) error {
		j.recordFile(w, &p)
		return w.Err()
	})
	w.EndFile()
	return err
}

// restrictions returns the restrictions of the containers with the sources of the conversions: what
// was made of closed content is closed, too.
func (j *job) restrictions() []string {
	var all []string
	for n := range j.touched {
		all = append(all, j.outline.restricted[n]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// indexFile writes the CDXJ index of the new container (clause 2.17).
func (j *job) indexFile(w *mets.Writer) error {
	w.File(j.lines.Element())
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
	member := part(aip.MemberFileID(n, p.Order), p.Offset, p.Stored,
		characterize.CompressionType(j.container.Compression))
	member.Transforms = j.decompression()
	w.StartFile(member)
	record := part(aip.RecordFileID(n, p.Order), 0, p.Length, characterize.MediaType(j.container))
	record.OwnerID = strings.Trim(p.ID, "<>")
	w.StartFile(record)
	if p.Size > 0 { // an empty output is a failure, and a warcinfo is never empty
		body := part(aip.BodyFileID(n, p.Order), p.BodyAt, p.Size, p.MIME)
		body.OwnerID, body.Checksum, body.ChecksumType = p.URI, p.SHA256, string(model.SHA256)
		body.AdmID = []string{aip.BodyObjID(n, p.Order)} // the object names its events
		w.File(body)
	}
	w.EndFile()
	w.EndFile()
}

// manifestation writes the second manifestation into a logical structMap: the bytestreams that
// render the same entities now, or a pointer to the document that lists them.
func (j *job) manifestation(w *mets.Writer) error {
	n := j.number
	w.StartDiv(mets.Div{
		Type: "manifestation", Label: j.manifestationLabel(),
		AdmID: []string{aip.ContainerObjID(n), aip.MigrationEventID(n)},
	})
	j.containerDiv(w)
	if !j.outline.single {
		w.StartDiv(mets.Div{Type: "METS"})
		w.Mptr(mets.Mptr{Location: mets.Location{LocType: "URL", Href: mets.Href(j.document.Path)}})
		w.Fptr(mets.Fptr{FileID: aip.ContainerMETSFileID(j.number)})
		w.EndDiv()
	}
	w.EndDiv()
	var err error
	if j.outline.single {
		err = j.conversions(w)
	}
	w.EndDiv()
	return err
}

func (j *job) manifestationLabel() string {
	return fmt.Sprintf("%s to %s, %s", j.o.words(), bare(j.o.Rule.MIME), j.o.Date.Format("2006-01-02 15:04:05 MST"))
}

// conversions writes a div for each conversion.
func (j *job) conversions(w *mets.Writer) error {
	n := j.number
	return j.placed.Each(func(p placed) error {
		if !p.Made {
			return nil
		}
		kind := aip.AssociatedObject
		if isPage(&p) {
			kind = aip.WebPage
		}
		w.StartDiv(mets.Div{Type: kind, Label: p.URI, OrderLabel: p.From.Of.Date,
			XLinkLabel: aip.PageID(n, p.Order)})
		w.Fptr(mets.Fptr{FileID: aip.BodyFileID(n, p.Order)})
		w.EndDiv()
		return w.Err()
	})
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

// members writes a div for each record of the new container.
func (j *job) members(w *mets.Writer) error {
	return j.placed.Each(func(p placed) error {
		w.StartDiv(mets.Div{Type: "member", Order: xmlstream.IntOf(p.Order)})
		w.Fptr(mets.Fptr{FileID: aip.MemberFileID(j.number, p.Order)})
		w.EndDiv()
		return w.Err()
	})
}

// physical writes the new files into a physical structMap. Before clause 2.18 it listed containers
// and members, without folders.
func (j *job) physical(w *mets.Writer) error {
	j.containerDiv(w)
	err := j.members(w)
	w.EndDiv()
	return err
}

// folders returns the insertions for the structMap of the files as stored, one for each new file.
func (j *job) folders() (all []func(*mets.Writer) error) {
	nothing := func(*mets.Writer) error { return nil }
	members := nothing
	if j.outline.single {
		members = j.members
	}
	all = append(all, item(j.name, aip.ContainerFileID(j.number), members),
		item(j.lines.Path, aip.IndexFileID(j.number), nothing))
	if !j.outline.single {
		all = append(all, item(j.document.Path, aip.ContainerMETSFileID(j.number), nothing))
	}
	return all
}

// item writes the div of a file within those of its folders, with more divs within.
func item(name, id string, within func(*mets.Writer) error) func(*mets.Writer) error {
	return func(w *mets.Writer) error {
		folders := strings.Split(path.Dir(name), "/")
		for _, f := range folders {
			w.StartDiv(mets.Div{Type: folderType, Label: f})
		}
		w.StartDiv(mets.Div{Type: "Item", Label: path.Base(name)})
		w.Fptr(mets.Fptr{FileID: id})
		err := within(w)
		for range len(folders) + 1 {
			w.EndDiv()
		}
		return errors.Join(err, w.Err())
	}
}

// folderType is the TYPE of the div of a folder (clause 2.7).
const folderType = "Directory"
