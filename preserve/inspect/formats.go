package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quire/format/fault"
	"quire/format/warc"
	"quire/model"
	"quire/preserve/identify"
)

// formats identifies formats while the reading continues. For responses this is the payload,
// without its framing and codings; for resources, conversions and metadata the block. Requests and
// warcinfo describe the crawl, revisits have no payload, and a segment has only part of one: these,
// and empty contents, are not identified.
//
// A nil formats identifies nothing.
type formats struct {
	report fault.Sink
	census *identify.Census
	types  map[typedFormat]*model.Format
	by     *identify.Identifier
	on     bool // for the current record
	sent   *identify.Window
	plain  *identify.Window
}

func newFormats(by *identify.Identifier, report fault.Sink) *formats {
	if by == nil {
		return nil
	}
	f := &formats{report: report, by: by, types: map[typedFormat]*model.Format{},
		sent: identify.NewWindow(by.MaxBytes()), plain: identify.NewWindow(by.MaxBytes())}
	f.census = identify.NewCensus(by, f.judge)
	return f
}

func (f *formats) begin(e *entry) {
	if f == nil {
		return
	}
	f.on = hasFormat(e)
	f.sent.Reset()
	f.plain.Reset()
}

// hasFormat reports whether the entry's content is identified.
func hasFormat(e *entry) bool {
	if e.warc == nil {
		return !e.info
	}
	switch e.kind {
	case warc.TypeResponse, warc.TypeResource, warc.TypeConversion, warc.TypeMetadata:
		return !e.warc.Has(warc.FieldSegmentNumber)
	}
	return false
}

// wanted reports whether the content of the current record is needed.
func (f *formats) wanted() bool { return f != nil && f.on }

// asSent receives content with its codings, as sent.
func (f *formats) asSent(p []byte) {
	if f.wanted() {
		f.sent.Write(p) //nolint:errcheck // a window never fails
	}
}

// decoded receives content without its codings.
func (f *formats) decoded(p []byte) {
	if f.wanted() {
		f.plain.Write(p) //nolint:errcheck // a window never fails
	}
}

// origin is the known data of a payload during identification.
type origin struct {
	offset int64
	record string
	kind   string     // of the record
	size   int64      // of the payload
	code   fault.Code // for a format that differs from the declared one; "" if not checked
	stated string     // WARC-Identified-Payload-Type
}

// end submits the content. If no part of the content could be decoded, the content is identified as
// sent.
func (f *formats) end(e *entry) {
	if !f.wanted() || e.payload <= 0 {
		return
	}
	declared, code := declaration(e)
	by := origin{offset: e.offset, record: strings.Clone(Shorten(e.id, maxRecord)), kind: strings.Clone(e.kind),
		size: e.payload}
	if !e.cut && (e.http == nil || e.http.StatusCode != partialContent) {
		by.code = code
		if e.warc != nil {
			by.stated = strings.Clone(Shorten(e.warc.Get(warc.FieldIdentifiedPayloadType), maxName))
		}
	}
	content := f.plain.Payload(e.uri, declared)
	if content.Size == 0 {
		content = f.sent.Payload(e.uri, declared)
	}
	if content.Size > 0 {
		e.format = f.census.Add(content, e.payload, by)
	}
}

// declaration returns the declared media type of the content, and the code of the finding if the
// format differs.
func declaration(e *entry) (declared string, code fault.Code) {
	_, isHTTP := e.isHTTP()
	switch {
	case e.http != nil:
		declared, code = e.http.Get("Content-Type"), FaultServedType
	case e.warc == nil:
		declared, code = e.contentType, FaultServedType
	case !isHTTP: // otherwise a message without a head, so without a declared type
		declared, code = e.contentType, FaultBlockType
	}
	return strings.Clone(Shorten(declared, maxName)), code // a copy, independent of the head
}

// typedFormat is the key for counting formats: hasFormat accepts few types of record, and PRONOM
// has few thousand formats.
type typedFormat struct{ kind, puid, name string }

// count adds the format to the counts for the type of its record.
func (f *formats) count(by origin, r identify.Result) {
	key := typedFormat{by.kind, r.PUID, r.FullName()}
	c := f.types[key]
	if c == nil {
		c = &model.Format{Name: key.name, PUID: key.puid, MIME: r.MIME}
		f.types[key] = c
	}
	c.Count++
	c.Bytes += by.size
}

// judge counts the identified format, and reports a difference from the declared format.
func (f *formats) judge(v identify.Verdict) {
	by, _ := v.Payload.(origin)
	f.count(by, v.Result)
	if by.code != "" && !v.Agrees(v.Declared) {
		f.fault(by, by.code, "the declared type is %.200q, but the bytes are %s", v.Declared, described(v.Result))
	}
	if by.stated != "" && !v.Agrees(by.stated) {
		f.fault(by, FaultIdentifiedType, "WARC-Identified-Payload-Type is %q, but the bytes are %s", by.stated,
			described(v.Result))
	}
}

// described returns the identified format and its evidence.
func described(r identify.Result) string {
	return fmt.Sprintf("%s (%s, %s): %.300s", r.FullName(), r.PUID, r.MIME, r.Basis)
}

func (f *formats) fault(by origin, code fault.Code, format string, args ...any) {
	f.report.Add(fault.Fault{Code: code, Offset: by.offset, Record: by.record, Detail: fmt.Sprintf(format, args...)})
}

// stop releases pending identifications.
func (f *formats) stop() {
	if f != nil {
		f.census.Abandon()
	}
}

// fill waits for pending identifications, and writes the counts into c, in total and by type of
// record.
func (f *formats) fill(c *model.Container) {
	c.Formats = []model.Format{}
	if f != nil {
		c.Formats, c.IdentifiedBy = f.census.Formats(), f.by.Software().String()
		f.byType(c.Types)
	}
}

// byType adds the formats and their counts to the sums of each type of record, the most frequent
// format first.
func (f *formats) byType(types []model.TypeSum) {
	for i := range types {
		t := &types[i]
		for key, c := range f.types {
			if key.kind == t.Type {
				t.Formats = append(t.Formats, *c)
			}
		}
		slices.SortFunc(t.Formats, func(a, b model.Format) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.PUID, b.PUID), cmp.Compare(a.Name, b.Name))
		})
	}
}
