package inspect

import (
	"mime"
	"strings"

	"quire/format/arc"
	"quire/format/http1"
	"quire/format/warc"
)

// fieldARCLine is the field with the URL-record line of a record that was converted from an ARC
// (preserve/convert/arcwarc, FieldLine).
const fieldARCLine = "ARC-Record-Line"

// Marks of records that quire convert keeps as metadata although they are captures, because their
// date is not known (preserve/convert/arcwarc and mirror).
const (
	undatedARC  = "urn:arc-undated:"
	partPayload = "payload" // a value of fieldPart
)

// ofWebsite reports whether the record's content is of the website. Other records describe the
// container or the crawl: warcinfo, metadata (ISO 28500:2017, 6.2 and 6.6), requests, the version
// block of an ARC, and the crawler's own resources, which have a metadata: or urn: URI: logs,
// screenshots, the files of a mirror as found.
func (e *entry) ofWebsite() bool {
	switch e.kind {
	case warc.TypeResponse, warc.TypeResource, warc.TypeRevisit, warc.TypeConversion:
		return !hasScheme(e.uri, "metadata") && !hasScheme(e.uri, "urn") && !isFields(e.contentType)
	case warc.TypeMetadata:
		return e.isUndated()
	}
	return false
}

// isUndated reports whether quire convert kept a capture as metadata, because it has no date.
func (e *entry) isUndated() bool {
	return e.kind == warc.TypeMetadata && e.warc != nil &&
		(strings.HasPrefix(e.uri, undatedARC) || e.warc.Get(fieldPart) == partPayload)
}

// isCapture reports whether the record is content from a server, or represents it: also the page of
// a mirror, which has restored links, and a capture without a date.
func (e *entry) isCapture() bool {
	switch e.kind {
	case warc.TypeResponse, warc.TypeResource, warc.TypeRevisit:
		return e.ofWebsite()
	case warc.TypeConversion:
		return e.warc != nil && e.warc.Get(fieldPart) == partPayload && e.ofWebsite()
	}
	return e.isUndated()
}

// isFields reports whether a Content-Type is that of WARC fields (Annex B), whatever its
// parameters. Their text resembles style sheets and other formats, so only the type identifies
// them.
func isFields(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(media), "application/warc-fields")
}

// headType returns the media type in the HTTP head. If a response states none, it returns the type
// in the URL-record line of the ARC.
func (e *entry) headType() string {
	if t := e.http.Get("Content-Type"); t != "" || e.http.Kind != http1.Response {
		return t
	}
	return e.lineType()
}

// lineType returns the media type in the URL-record line: of the ARC record, or of the ARC record
// from which the WARC record was converted. It returns "" if the line has no media type, for
// example no-type.
func (e *entry) lineType() string {
	stated := e.contentType
	if e.warc != nil {
		line, ok := arc.ParseLine(e.warc.Get(fieldARCLine))
		if !ok {
			return ""
		}
		stated = line.ContentType
	}
	if t, _, err := mime.ParseMediaType(stated); err != nil || !strings.Contains(t, "/") {
		return ""
	}
	return stated
}
