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

// formats identifies the formats of what the records hold, beside the reading: of responses the
// payload, without its framing and codings; of resources, conversions and metadata the block.
// Requests and warcinfo are about the crawl, revisits have no payload, a segment has part of one,
// and of nothing there is no format: these are not identified.
//
// A nil formats identifies nothing.
type formats struct {
	report fault.Sink
	census *identify.Census
	types  map[typedFormat]*model.Format
	by     *identify.Identifier
	on     bool // for the present record
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

// hasFormat says whether the entry is one whose content is identified.
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

// wanted says whether the content of the present record is to be shown.
func (f *formats) wanted() bool { return f != nil && f.on }

// asSent takes some of the content in the codings in which it was sent.
func (f *formats) asSent(p []byte) {
	if f.wanted() {
		f.sent.Write(p) //nolint:errcheck // a window never fails
	}
}

// decoded takes some of the content without its codings.
func (f *formats) decoded(p []byte) {
	if f.wanted() {
		f.plain.Write(p) //nolint:errcheck // a window never fails
	}
}

// origin is what is known of a payload while it is being identified.
type origin struct {
	offset int64
	record string
	kind   string     // of the record
	size   int64      // of the payload
	code   fault.Code // when the format is not the declared one; "" when nothing is said of that
	stated string     // WARC-Identified-Payload-Type
}

// end hands the content over. What could not be decoded at all is identified as it was sent.
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

// declaration is the media type that was declared of the content, and the finding when it is
// another.
func declaration(e *entry) (declared string, code fault.Code) {
	_, isHTTP := e.isHTTP()
	switch {
	case e.http != nil:
		declared, code = e.http.Get("Content-Type"), FaultServedType
	case e.warc == nil:
		declared, code = e.contentType, FaultServedType
	case !isHTTP: // else it is a message without a head, which declares nothing of the content
		declared, code = e.contentType, FaultBlockType
	}
	return strings.Clone(Shorten(declared, maxName)), code // not the head that it is a part of
}

// typedFormat is what formats are counted by: hasFormat lets few types of record through, and
// PRONOM has few thousand formats.
type typedFormat struct{ kind, puid, name string }

// count counts the format for the type of record that it was found in.
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

// judge counts what was found, and compares it with what was declared.
func (f *formats) judge(v identify.Verdict) {
	by, _ := v.Payload.(origin)
	f.count(by, v.Result)
	if by.code != "" && !v.Agrees(v.Declared) {
		f.fault(by, by.code, "declared is %.200q, but by its bytes this is %s", v.Declared, described(v.Result))
	}
	if by.stated != "" && !v.Agrees(by.stated) {
		f.fault(by, FaultIdentifiedType, "WARC-Identified-Payload-Type is %q, but by its bytes this is %s", by.stated,
			described(v.Result))
	}
}

// described says what was found, and from what.
func described(r identify.Result) string {
	return fmt.Sprintf("%s (%s, %s): %.300s", r.FullName(), r.PUID, r.MIME, r.Basis)
}

func (f *formats) fault(by origin, code fault.Code, format string, args ...any) {
	f.report.Add(fault.Fault{Code: code, Offset: by.offset, Record: by.record, Detail: fmt.Sprintf(format, args...)})
}

// stop lets go of what is still being identified.
func (f *formats) stop() {
	if f != nil {
		f.census.Abandon()
	}
}

// fill waits for what is still being identified, and writes the counts into c, in all and by type
// of record.
func (f *formats) fill(c *model.Container) {
	c.Formats = []model.Format{}
	if f != nil {
		c.Formats, c.IdentifiedBy = f.census.Formats(), f.by.Software().String()
		f.byType(c.Types)
	}
}

// byType adds the counts to the sums of each type of record, the most frequent first.
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
