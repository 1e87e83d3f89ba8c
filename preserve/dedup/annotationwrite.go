package dedup

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"strconv"
	"time"

	"quire/format/warc"
	"quire/internal/portable"
	"quire/internal/warcbuild"
	"quire/source/detect"
)

// nameFor returns the file name for the revisit records of a harvest.
func (j *job) nameFor(h detect.Harvest, number int) string {
	name := h.About().ID
	if name == "" {
		name = path.Base(h.Found.Root)
	}
	if name == "" || name == "." || name == "/" {
		name = "harvest"
	}
	name = path.Base(portable.Name(path.Base(name)))
	for _, c := range j.report.Containers {
		if c.Path == name+annotatedEnd {
			return fmt.Sprintf("%s-%d%s", name, number, annotatedEnd) // two harvests with the same id
		}
	}
	return name + annotatedEnd
}

const annotatedEnd = "-revisits.warc.gz"

// annotateHarvest writes the file of a harvest. It is dated with the latest line, so it always has
// the same bytes.
func (j *job) annotateHarvest(ctx context.Context, h detect.Harvest, name string, last time.Time) error {
	it := &item{dest: name, report: ContainerReport{Path: name, Left: map[Reason]int64{}}}
	return j.create(it, func(out io.Writer) error {
		w, err := warc.NewWriter(out, warc.WriterOptions{Compression: warc.Gzip})
		if err != nil {
			return err
		}
		a := &annotating{job: j, it: it, out: w}
		if err := a.writeInfo(h, last); err != nil {
			return err
		}
		return eachAnnotation(ctx, h, func(line *annotation) error { return a.line(ctx, line) })
	})
}

// annotating writes the file of one harvest.
type annotating struct {
	*job
	it   *item
	out  *warc.Writer
	info string // id of the warcinfo
}

// writeInfo writes the warcinfo (6.2), which states the origin of the records.
func (a *annotating) writeInfo(h detect.Harvest, date time.Time) error {
	about := h.About()
	b := warcbuild.AppendField(nil, "software", a.o.Agent.Name+"/"+a.o.Agent.Version)
	b = warcbuild.AppendField(b, "format", "WARC File Format 1.1")
	b = warcbuild.AppendField(b, "conformsTo",
		"http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/")
	b = warcbuild.AppendField(b, "description",
		"revisit records made of the lines of a crawl log that tell of duplicates; nothing of the answers was stored")
	b = warcbuild.AppendField(b, "isPartOf", about.ID)
	b = warcbuild.AppendField(b, "crawler", about.Software)
	fields := []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeWarcinfo},
		{Name: warc.FieldDate, Value: warc.FormatDate(date)},
		{Name: warc.FieldContentType, Value: "application/warc-fields"},
		{Name: warc.FieldFilename, Value: warcbuild.Escape(a.it.dest)},
	}
	a.info = warcbuild.RecordID(append(fields, warc.NameValue{Name: "block", Value: string(b)}))
	_, _, err := a.out.WriteBytes(append(fields, warc.NameValue{Name: warc.FieldRecordID, Value: a.info}), b)
	return err
}

// line makes the revisit record of a line, or reports why it cannot.
func (a *annotating) line(ctx context.Context, line *annotation) error {
	why, err := a.cannot(ctx, line)
	if err != nil {
		return err
	}
	s := &recordFacts{URI: line.URI, Offset: line.Line}
	if why != "" {
		a.report.leave(&a.it.report, s, why)
		return nil
	}
	f, err := a.original(ctx, line)
	if err != nil {
		return err
	}
	if f.denied != "" {
		if a.report.DeniedAll++; len(a.report.Denied) < MaxListed {
			a.report.Denied = append(a.report.Denied, Denied{Index: placeOf(line), Container: line.Duplicate.Container,
				Offset: line.Duplicate.Offset, URI: line.URI, Message: f.denied})
		}
		a.report.leave(&a.it.report, s, Contradicted)
		return nil
	}
	fields := a.fields(line, &f)
	fields = append(fields, warc.NameValue{Name: warc.FieldRecordID, Value: warcbuild.RecordID(fields)})
	if _, _, err := a.out.Write(fields, 0, bytes.NewReader(nil)); err != nil {
		return err
	}
	if err := a.own.note(ctx, key(captured(line.URI, line.Time))); err != nil { // a log may contain it twice
		return err
	}
	a.report.Evidence[f.evidence]++
	a.it.report.Records++
	a.it.report.Replaced++
	return nil
}

// cannot returns why a line cannot become a record.
func (a *annotating) cannot(ctx context.Context, line *annotation) (Reason, error) {
	switch {
	case line.Time.IsZero():
		return Undated, nil
	case line.URI == "":
		return NoURI, nil
	case line.sha1 == nil && !line.notModified: // the profile requires a digest
		return NoDigest, nil
	}
	there, err := a.own.noted(ctx, key(captured(line.URI, line.Time)))
	if there && err == nil {
		return HasRecord, nil
	}
	return "", err
}

// placeOf returns the file and line number of a line.
func placeOf(line *annotation) string {
	log := line.Log
	if log == "" {
		log = "crawl log"
	}
	return log + ", line " + strconv.FormatInt(line.Line, 10)
}

// fields returns the fields for the record of a line.
func (a *annotating) fields(line *annotation, f *found) []warc.NameValue {
	profile := warc.ProfileIdenticalPayload11
	if line.notModified {
		profile = warc.ProfileNotModified11
	}
	all := []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeRevisit},
		{Name: warc.FieldTargetURI, Value: warcbuild.TargetURI(line.URI)},
		{Name: warc.FieldDate, Value: dateOf(line.Time)},
		{Name: warc.FieldWarcinfoID, Value: a.info},
		{Name: warc.FieldProfile, Value: profile},
	}
	add := func(name, value string) {
		if value != "" {
			all = append(all, warc.NameValue{Name: name, Value: value})
		}
	}
	if !line.notModified {
		add(warc.FieldPayloadDigest, warc.FormatDigest("sha1", line.sha1))
	}
	add(warc.FieldRefersToTargetURI, f.uri)
	add(warc.FieldRefersToDate, f.date)
	add(warc.FieldRefersTo, f.id)
	add(FieldEvidence, string(f.evidence))
	add(FieldLog, warcbuild.Escape(placeOf(line)))
	add(FieldNote, warcbuild.Escape(line.note))
	if line.Status > 0 {
		add(FieldStatus, strconv.Itoa(line.Status))
	}
	add(FieldMIME, warcbuild.Escape(line.MIME))
	return all
}
