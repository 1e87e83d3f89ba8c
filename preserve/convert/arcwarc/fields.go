package arcwarc

import (
	"net/netip"
	"strings"
	"time"

	"quire/format/arc"
	"quire/format/warc"
	"quire/internal/warcbuild"
)

// Fields of our own, which the standard allows (ISO 28500:2017, clause 4): they hold what is needed
// to make the ARC again.
const (
	// FieldPart says what a record is of the ARC: one of the Parts.
	FieldPart = "ARC-Part"
	// FieldLine is the URL-record line as found, escaped (see escape), without its line end.
	FieldLine = "ARC-Record-Line"
	// FieldLineEnd is the end of that line, escaped. Without it, the line ends in LF.
	FieldLineEnd = "ARC-Line-End"
	// FieldSeparator is what stands behind the block, escaped. Without it, that is one LF.
	FieldSeparator = "ARC-Separator"
	// FieldDate is the Archive-date as found, where it is not 14 digits or names no time.
	FieldDate = "ARC-Date"
)

// The Parts of an ARC, values of [FieldPart].
const (
	PartRecord  = "record"  // a record: its line, its block, and what separates it from the next
	PartBetween = "between" // bytes that belong to no record, in a block
	PartSummary = "summary" // how much there was of all, and the digests of it; the last record
)

// maxSeparator is the longest separator that is put into a field, in bytes. A longer one becomes a
// record of its own.
const maxSeparator = 64

// contentType of an HTTP response with its head (ISO 28500:2017, 6.3.2).
const typeResponse = "application/http;msgtype=response"

// typeFields is the content type of fields in a block (Annex B).
const typeFields = "application/warc-fields"

// undated stands before the URL of a capture whose date names no time.
const undated = "urn:arc-undated:"

// describe makes the fields that a WARC record takes from its URL-record line. answered says that
// the block begins with a status line; converted stands in for a date that names no time.
func describe(h *arc.Header, answered bool, converted string) []warc.NameValue {
	date, target := captureDate(h), warcbuild.TargetURI(h.URL)
	kind, contentType := recordType(h, answered)
	if date == "" {
		// Clause 5.4 asks every capture for its instant. A capture without one is kept as metadata,
		// whose date is that of its making, and under no URL of the web: indexes take metadata for
		// captures too, and a date that is guessed would be replayed as true.
		if kind != warc.TypeMetadata { // the version block is about the file, and no capture
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

// recordType decides what a record becomes. A response is only what begins with a status line
// (6.3.2); what DNS, FTP, gopher or HTTP/0.9 gave is a resource (6.4), with the content type that
// the crawler stated, if it stated one.
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

// captureDate writes the Archive-date in the granularity that it has (5.4): "" when it names no
// time. WARC knows no date to the hour, so that one of 10 digits is written to the day.
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
