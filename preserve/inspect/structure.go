package inspect

import (
	"fmt"
	"slices"

	"quire/format/fault"
	"quire/format/warc"
	"quire/model"
)

// structureObserver checks what the record headers of a WARC file must say (ISO 28500:2017, clauses 5 and 6), and keeps the
// fields of its first warcinfo record.
type structureObserver struct {
	report  fault.Sink
	records int64
	block   []byte // of the first warcinfo
	keep    bool
	fields  []model.Field
}

// maxInfo bounds how much of a warcinfo block is kept.
const maxInfo = 256 << 10

// mandatory are the fields each record must have (clause 5.2 to 5.5; 6.1), and those a type must have besides.
var (
	mandatory       = []string{warc.FieldType, warc.FieldRecordID, warc.FieldDate, warc.FieldContentLength}
	mandatoryByType = map[string][]string{
		warc.TypeResponse:     {warc.FieldTargetURI},
		warc.TypeResource:     {warc.FieldTargetURI},
		warc.TypeRequest:      {warc.FieldTargetURI},
		warc.TypeRevisit:      {warc.FieldTargetURI, warc.FieldProfile},
		warc.TypeConversion:   {warc.FieldTargetURI},
		warc.TypeContinuation: {warc.FieldTargetURI, warc.FieldSegmentNumber, warc.FieldSegmentOriginID},
	}
)

func (o *structureObserver) begin(e *entry) {
	o.records++
	o.keep = false
	if e.warc == nil {
		return
	}
	for _, name := range mandatory {
		o.need(e, name)
	}
	for _, name := range mandatoryByType[e.kind] {
		o.need(e, name)
	}
	if e.warc.Has(warc.FieldDate) && e.date.IsZero() {
		o.fault(e, FaultDate, "WARC-Date is %.40q, not a W3CDTF date in UTC", e.warc.Get(warc.FieldDate))
	}
	if e.kind != "" && !slices.Contains(warc.Types, e.kind) {
		o.fault(e, FaultType, "record type %.40q is not defined; readers pass over it", e.kind)
	}
	if o.records == 1 && e.kind != warc.TypeWarcinfo {
		o.fault(e, FaultNoWarcinfo, "the file begins with a %s record, not with a warcinfo", e.kind)
	}
	if e.kind == warc.TypeWarcinfo && o.fields == nil {
		o.keep, o.block = true, o.block[:0]
	}
}

// need reports a field that is missing. An empty Content-Length was reported by the reader.
func (o *structureObserver) need(e *entry, name string) {
	if e.warc.Has(name) || name == warc.FieldContentLength {
		return
	}
	o.fault(e, FaultFieldMissing, "a %s record without %s", e.kind, name)
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
