package inspect

import (
	"crypto/sha256"
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
// WARC fields, and empty contents, are not identified.
//
// Only content of the website counts for the container; the sums by type of record count all.
//
// A nil formats identifies nothing.
type formats struct {
	report fault.Sink
	census *identify.Census
	types  map[typedFormat]*model.Format
	by     *identify.Identifier
	on     bool    // for the current record
	last   *origin // of the current record; nil if it is not identified
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
	f.on, f.last = hasFormat(e), nil
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
		return !e.warc.Has(warc.FieldSegmentNumber) && !isFields(e.contentType)
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
	site   bool       // content of the website
	size   int64      // of the payload
	block  int64      // size of the block
	stored int64      // size of the record in the file, -1 if unknown
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
	by := &origin{offset: e.offset, record: strings.Clone(Shorten(e.id, maxRecord)), kind: strings.Clone(e.kind),
		site: e.ofWebsite(), size: e.payload, block: e.read, stored: -1}
	if !e.cut && (e.http == nil || e.http.StatusCode != partialContent) {
		by.code = code
		if e.warc != nil {
			by.stated = strings.Clone(Shorten(e.warc.Get(warc.FieldIdentifiedPayloadType), maxName))
		}
	}
	name := e.uri
	if e.kind == warc.TypeMetadata && !by.site {
		name = "" // the URI is that of the content that the record describes
	}
	content := f.plain.Payload(name, declared)
	if content.Size == 0 {
		content = f.sent.Payload(name, declared)
	}
	if content.Size > 0 {
		content.SHA256 = e.contentDigest(content.Size)
		e.format, f.last = f.census.Add(content, e.payload, by), by
	}
}

// contentDigest returns the SHA-256 of the content as served, if it was computed and the content has
// that size. Otherwise it is zero.
func (e *entry) contentDigest(size int64) (none [sha256.Size]byte) {
	switch b := e.body; {
	case b == nil || !b.Whole:
	case len(b.Removed) > 0 && b.ServedLength == size:
		return b.ServedSHA256
	case len(b.Removed) == 0 && e.payload == size:
		return b.SHA256
	}
	return none
}

// takes notes the size of the current record in the file, which is known after its end. The census
// reports a record later, so the size is known then.
func (f *formats) takes(stored int64) {
	if f != nil && f.last != nil {
		f.last.stored = stored
	}
}

// declaration returns the declared media type of the content, and the code of the finding if the
// format differs.
func declaration(e *entry) (declared string, code fault.Code) {
	_, isHTTP := e.isHTTP()
	switch {
	case e.http != nil:
		declared, code = e.headType(), FaultServedType
	case e.warc == nil:
		declared, code = e.contentType, FaultServedType
	case !isHTTP: // otherwise a message without a head, so without a declared type
		declared, code = e.contentType, FaultBlockType
	}
	return strings.Clone(Shorten(declared, maxName)), code // a copy, independent of the head
}

// typedFormat is the key for counting formats: hasFormat accepts few types of record, and PRONOM
// has few thousand formats.
type typedFormat struct {
	kind                string
	site                bool
	puid, name, version string
}

// count adds the format to the counts for the type of its record.
func (f *formats) count(by *origin, r identify.Result) {
	format := r.Format()
	key := typedFormat{by.kind, by.site, format.PUID, format.Name, format.Version}
	c := f.types[key]
	if c == nil {
		c = &format
		f.types[key] = c
	}
	add(c, &model.Format{Count: 1, Bytes: by.size, Blocks: by.block, Stored: max(by.stored, 0)})
}

// add adds the counts of more to c.
func add(c, more *model.Format) {
	c.Count += more.Count
	c.Bytes += more.Bytes
	c.Blocks += more.Blocks
	c.Stored += more.Stored
}

// judge counts the identified format, and reports a difference from the declared format.
func (f *formats) judge(v identify.Verdict) {
	by, _ := v.Payload.(*origin)
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

func (f *formats) fault(by *origin, code fault.Code, format string, args ...any) {
	f.report.Add(fault.Fault{Code: code, Offset: by.offset, Record: by.record, Detail: fmt.Sprintf(format, args...)})
}

// stop releases pending identifications.
func (f *formats) stop() {
	if f != nil {
		f.census.Abandon()
	}
}

// fill waits for pending identifications, and writes the counts into c: those of the website's
// content, and by type of record those of all content.
func (f *formats) fill(c *model.Container) {
	c.Formats = []model.Format{}
	if f == nil {
		return
	}
	_ = f.census.Formats() // waits; the counts by type are complete then
	c.IdentifiedBy = f.by.Software().String()
	c.Formats = f.sum(func(k typedFormat) bool { return k.site })
	for i := range c.Types {
		t := &c.Types[i]
		t.Formats = f.sum(func(k typedFormat) bool { return k.kind == t.Type })
	}
}

// sum returns the counts of each format for which wanted returns true, the most frequent format
// first.
func (f *formats) sum(wanted func(typedFormat) bool) []model.Format {
	sums := map[typedFormat]*model.Format{}
	for key, c := range f.types {
		if !wanted(key) {
			continue
		}
		same := typedFormat{puid: key.puid, name: key.name, version: key.version}
		if sums[same] == nil {
			sums[same] = &model.Format{Name: c.Name, Version: c.Version, PUID: c.PUID, MIME: c.MIME}
		}
		add(sums[same], c)
	}
	list := make([]model.Format, 0, len(sums))
	for _, c := range sums {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b model.Format) int { return identify.CompareFormats(&a, &b) })
	return list
}
