package arcwarc

import (
	"net/netip"
	"strings"
	"time"

	"quire/format/arc"
	"quire/format/warc"
	"quire/internal/warcbuild"
)

// Quire's own fields, which the standard allows (ISO 28500:2017, clause 4). They hold the data
// needed to restore the ARC.
const (
	// FieldPart states which part of the ARC a record is: one of the Parts.
	FieldPart = "ARC-Part"
	// FieldLine is the URL-record line as found, escaped (see escape), without its line end.
	FieldLine = "ARC-Record-Line"
	// FieldLineEnd is the end of that line, escaped. Without it, the line ends in LF.
	FieldLineEnd = "ARC-Line-End"
	// FieldSeparator holds the bytes after the block, escaped. Without it, the separator is one LF.
	FieldSeparator = "ARC-Separator"
	// FieldDate is the Archive-date as found, if it is not 14 digits or is not a valid time.
	FieldDate = "ARC-Date"
)

// The Parts of an ARC, which are the values of [FieldPart].
const (
	PartRecord  = "record"  // a record: its line, its block, and the separator after it
	PartBetween = "between" // bytes between records, in a block
	PartSummary = "summary" // the totals and digests; the last record
)

// maxSeparator is the longest separator that a field can hold, in bytes. A longer one becomes a
// record.
const maxSeparator = 64

// typeResponse is the contentType of an HTTP response with its head (ISO 28500:2017, 6.3.2).
const typeResponse = "application/http;msgtype=response"

// typeFields is the content type of fields in a block (Annex B).
const typeFields = "application/warc-fields"

// undated begins the URL of a capture without a valid date.
const undated = "urn:arc-undated:"

// describe makes the fields that a WARC record gets from its URL-record line. answered reports
// whether the block begins with a status line. converted is the date to use when the line has no
// valid date.
func describe(h *arc.Header, answered bool, converted string) []warc.NameValue {
	date, target := captureDate(h), warcbuild.TargetURI(h.URL)
	kind, contentType := recordType(h, answered)
	if date == "" {
		// Clause 5.4 requires the time of every capture. A capture without one is kept as metadata,
		// dated with the time of the conversion, and not under a URL of the web. Indexes include
		// metadata as captures, too, and replay would show a guessed date as true.
		if kind != warc.TypeMetadata { // the version block describes the file, it is not a capture
			target = undated + target
		}
		kind, date = warc.TypeMetadata, converted
	}
	fields := []warc.NameValue{
		{Name: warc.FieldType, Value: kind},
		{Name: warc.FieldTargetURI, Value: target},
		{Name: warc.FieldDate, Value: date},
	}
	if ip, err := netip.ParseAddr(h.IP); err == nil && !ip.IsUnspecified() && ip.Zone() == "" {
		fields = append(fields, warc.NameValue{Name: warc.FieldIPAddress, Value: h.IP})
	}
	if contentType != "" {
		fields = append(fields, warc.NameValue{Name: warc.FieldContentType, Value: contentType})
	}
	if t, _ := h.Time(); len(h.Date) != 14 || t.IsZero() {
		fields = append(fields, warc.NameValue{Name: FieldDate, Value: warcbuild.Escape(h.Date)})
	}
	return fields
}

// recordType decides the type of the WARC record. Only a block with a status line is a response
// (6.3.2). Answers by DNS, FTP, gopher or HTTP/0.9 are resources (6.4). They have the content type
// that the crawler stated, if any.
func recordType(h *arc.Header, answered bool) (kind, contentType string) {
	switch {
	case hasPrefixFold(h.URL, "filedesc://"):
		return warc.TypeMetadata, warcbuild.StatedType(h.ContentType)
	case hasPrefixFold(h.URL, "dns:"):
		return warc.TypeResource, "text/dns" // 6.4.4; crawlers wrote text/dns, and rarely text/plain
	case answered:
		return warc.TypeResponse, typeResponse
	}
	return warc.TypeResource, warcbuild.StatedType(h.ContentType)
}

// captureDate writes the Archive-date in its own granularity (5.4), or returns "" if it is not a
// valid time. WARC has no dates to the hour, so a date of 10 digits is written to the day.
func captureDate(h *arc.Header) string {
	t, precision := h.Time()
	switch {
	case t.IsZero():
		return ""
	case precision == time.Hour:
		return t.Format("2006-01-02")
	case precision == time.Minute:
		return t.Format("2006-01-02T15:04Z")
	case precision < time.Second:
		return t.Format("2006-01-02T15:04:05.") + h.Date[14:] + "Z"
	}
	return warc.FormatDate(t)
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
