package characterize

import (
	"strings"
	"testing"

	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
)

// containerMD counts entries as stored, blocks of each type of record, and payloads of responses
// only: see the documentation in its schema.
func TestSizesAndDatesOfTheSchema(t *testing.T) {
	info := warcRecord("warcinfo", "software: Boat/1.0\r\n", "Content-Type: application/warc-fields")
	info = strings.Replace(info, "2024-01-02", "2025-02-03", 1)
	answer := warcRecord("response", page, "WARC-Target-URI: http://example.org/",
		"Content-Type: application/http;msgtype=response", "WARC-Identified-Payload-Type: text/html")
	note := warcRecord("metadata", "via: x\r\n", "Content-Type: application/warc-fields")
	note = strings.Replace(note, "2024-01-02", "2023-01-02", 1)
	_, doc := described(t, info+answer+note, false, containermd.Version12)
	got := readBack(t, doc).Information
	size := func(s string) xmlstream.Int { return xmlstream.IntOf(int64(len(s))) }
	if got.Number != 3 || got.GlobalSize != size(info+answer+note) || got.MinimumSize != size(note) ||
		got.MaximumSize != size(answer) {
		t.Errorf("entries: %+v", got.Sums)
	}
	if got.First.Year() != 2023 || got.Last.Year() != 2025 {
		t.Errorf("the dates are not those of the first and the last entry: %s, %s", got.First, got.Last)
	}
	if len(got.Formats) != 1 || got.Formats[0] != (containermd.Format{Name: "text/html", Number: 1,
		GlobalSize: size(answer)}) {
		t.Errorf("formats: %+v", got.Formats)
	}
	r := got.WARC.Response
	if r.GlobalSize != size("<p>") || r.MinimumSize != size(page) || r.MaximumSize != size(page) {
		t.Errorf("responses: %+v", r.Sums)
	}
	if r.BlockFormats[0].GlobalSize != size(page) || r.IdentifiedPayloadTypes[0].GlobalSize != size(page) {
		t.Errorf("lists of responses: %+v, %+v", r.BlockFormats, r.IdentifiedPayloadTypes)
	}
	if m := got.WARC.Metadata; m.GlobalSize != size("via: x\r\n") {
		t.Errorf("metadata: %+v", m.Sums)
	}
	// Behind the records is a stretch that belongs to none.
	_, doc = described(t, info+answer+note+strings.Repeat("\x00", 100), false, containermd.Version12)
	if got := readBack(t, doc).Information; got.GlobalSize != size(info+answer+note) {
		t.Errorf("with bytes behind the records: %+v", got.Sums)
	}
}

// A WARC that was converted has the date of its source; its own is not known.
func TestConvertedFilesHaveNoDateOfTheirSource(t *testing.T) {
	head := func(fields string) string {
		return warcRecord("warcinfo", fields, "Content-Type: application/warc-fields")
	}
	for fields, dated := range map[string]bool{
		"software: Quire 1.0\r\nsource-name: a.arc\r\n":   false,
		"software: Quire 1.0\r\n":                         true,
		"software: Boat/1.0\r\nsource-name: a.arc\r\n":    true,
		"software: Quirent 1.0\r\nsource-name: a.arc\r\n": true,
	} {
		_, doc := described(t, head(fields), false, containermd.Version12)
		if got := readBack(t, doc).Container; got.Created.IsZero() == dated {
			t.Errorf("%q: created %s", fields, got.Created)
		}
	}
}
