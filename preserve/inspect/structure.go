package inspect

import (
	"fmt"
	"time"

	"quire/format/fault"
	"quire/format/warc"
	"quire/model"
)

// structureObserver checks the record headers of a WARC file (ISO 28500:2017, clauses 5 and 6), and
// keeps the fields of its first warcinfo record.
type structureObserver struct {
	report    fault.Sink
	name      string    // of the file, "" if not known
	latest    time.Time // a later date is in the future
	records   int64
	warcinfos int64
	ambiguous bool // told
	header    header
	block     []byte // of the first warcinfo
	keep      bool
	fields    []model.Field
}

// maxInfo bounds the part of a warcinfo block that is kept.
const maxInfo = 256 << 10

func (o *structureObserver) begin(e *entry) {
	o.records++
	o.keep = false
	o.checkFuture(e)
	if e.warc == nil {
		return
	}
	if e.warc.HeaderCut { // the truncation of the header was reported
		o.header.clear()
		return
	}
	kind := typeOf(e.kind)
	o.header.read(e, o)
	o.header.checkPresence(e, kind, o)
	o.checkValues(e, kind)
	if e.kind != "" && kind == onNone {
		o.fault(e, FaultType, "record type %.40q is not defined; readers ignore the record", e.kind)
	}
	if o.records == 1 && kind != onWarcinfo {
		o.fault(e, FaultNoWarcinfo, "the file begins with a %s record, not with a warcinfo", e.typeName())
	}
	if kind == onWarcinfo {
		o.beginWarcinfo(e)
	} else if o.warcinfos > 1 && !o.ambiguous && len(o.header.valueOf(warc.FieldWarcinfoID)) == 0 {
		o.ambiguous = true
		o.fault(e, FaultWarcinfoAmbiguous, "%d warcinfo records so far, but a %s record without "+
			"WARC-Warcinfo-ID", o.warcinfos,
			e.typeName())
	}
}

// beginWarcinfo compares the file name with the stated one (5.17), and keeps the first block.
func (o *structureObserver) beginWarcinfo(e *entry) {
	o.warcinfos++
	stated := string(o.header.valueOf(warc.FieldFilename))
	if o.warcinfos == 1 && stated != "" && o.name != "" && stated != o.name {
		o.fault(e, FaultFilename, "WARC-Filename is %.200q, but the file name is %.200q", stated, o.name)
	}
	if o.fields == nil {
		o.keep, o.block = true, o.block[:0]
	}
}

func (o *structureObserver) chunk(p []byte) error {
	if o.keep && len(o.block) < maxInfo {
		o.block = append(o.block, p[:min(len(p), maxInfo-len(o.block))]...)
	}
	return nil
}

func (o *structureObserver) end(*entry) error {
	if o.keep {
		o.fields = []model.Field{}
		for _, f := range warc.ParseFields(o.block) {
			o.fields = append(o.fields, model.Field{Name: f.Name, Value: f.Value})
		}
	}
	return nil
}

func (o *structureObserver) fault(e *entry, code fault.Code, format string, args ...any) {
	o.report.Add(fault.Fault{Code: code, Offset: e.offset, Record: e.id, Detail: fmt.Sprintf(format, args...)})
}

// checkFuture reports a capture in the future: the clock of the crawler was wrong, or a digit of the date. The date
// still counts as the record states it.
func (o *structureObserver) checkFuture(e *entry) {
	if !e.date.After(o.latest) {
		return
	}
	code := FaultDateFuture
	if e.warc == nil {
		code = FaultDateFutureARC
	}
	o.fault(e, code, "the date is %s, and the file was inspected on %s", e.date.UTC().Format(time.DateTime),
		o.latest.Add(-day).UTC().Format(time.DateOnly))
}

// day is how far the clocks of the crawler and of this machine may differ.
const day = 24 * time.Hour
