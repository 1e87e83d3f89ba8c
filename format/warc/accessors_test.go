package warc

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func header(fields ...string) *Header {
	return ParseHeader([]byte("WARC/1.1\r\n" + strings.Join(fields, "\r\n") + "\r\n\r\n"))
}

// Each accessor reads its field on demand: its value, or an error that names it.
func TestAccessors(t *testing.T) {
	date := func(h *Header) (any, error) { return h.Date() }
	for _, test := range []struct {
		name, field string
		get         func(h *Header) (any, error)
		want        string // of the value, or
		err         string // of the error
	}{
		{"date", "WARC-Date: 2024-05-06T07:08:09.5Z", date, "2024-05-06 07:08:09.5 +0000 UTC", ""},
		{"date of 1.1", "warc-date: 2024", date, "2024-01-01 00:00:00 +0000 UTC", ""},
		{"no date", "X: y", date, "", "WARC-Date: the record has no such field"},
		{"not a date", "WARC-Date: yesterday", date, "", `WARC-Date: "yesterday" is no W3CDTF date`},
		{"refers-to date", "WARC-Refers-To-Date: 2024-05-06T07:08:09Z",
			func(h *Header) (any, error) { return h.RefersToDate() }, "2024-05-06 07:08:09 +0000 UTC", ""},
		{"type", "WARC-Type: revisit", func(h *Header) (any, error) { return h.Type(), nil }, "revisit", ""},
		{"id", "WARC-Record-ID: <urn:x>", func(h *Header) (any, error) { return h.ID(), nil }, "<urn:x>", ""},
		{"URI in brackets", "WARC-Target-URI: <http://a/>",
			func(h *Header) (any, error) { return h.TargetURI(), nil }, "http://a/", ""},
		{"refers to", "WARC-Refers-To: <urn:x>", func(h *Header) (any, error) { return h.RefersTo(), nil }, "<urn:x>", ""},
		{"refers-to URI", "WARC-Refers-To-Target-URI: <http://a/>",
			func(h *Header) (any, error) { return h.RefersToTargetURI(), nil }, "http://a/", ""},
		{"concurrent to", "WARC-Concurrent-To: <a>\r\nwarc-concurrent-to: <b>",
			func(h *Header) (any, error) { return h.ConcurrentTo(), nil }, "[<a> <b>]", ""},
		{"warcinfo", "WARC-Warcinfo-ID: <w>", func(h *Header) (any, error) { return h.WarcinfoID(), nil }, "<w>", ""},
		{"file name", "WARC-Filename: a.warc", func(h *Header) (any, error) { return h.Filename(), nil }, "a.warc", ""},
		{"profile", "WARC-Profile: " + ProfileNotModified11,
			func(h *Header) (any, error) { return h.Profile(), nil }, ProfileNotModified11, ""},
		{"truncated", "WARC-Truncated: length", func(h *Header) (any, error) { return h.Truncated(), nil }, "length", ""},
		{"identified type", "WARC-Identified-Payload-Type: text/html",
			func(h *Header) (any, error) { return h.IdentifiedPayloadType(), nil }, "text/html", ""},
		{"address", "WARC-IP-Address: 2001:db8::1", func(h *Header) (any, error) { return h.IPAddress() }, "2001:db8::1", ""},
		{"not an address", "WARC-IP-Address: localhost", func(h *Header) (any, error) { return h.IPAddress() }, "",
			`WARC-IP-Address: ParseAddr("localhost"): unable to parse IP`},
		{"content type", `Content-Type: Application/HTTP; msgtype="response"`,
			func(h *Header) (any, error) { m, p, err := h.ContentType(); return fmt.Sprint(m, p), err },
			"application/httpmap[msgtype:response]", ""},
		{"not a content type", "Content-Type: ;;",
			func(h *Header) (any, error) { m, _, err := h.ContentType(); return m, err },
			"", "Content-Type: mime: no media type"},
		{"block digest", "WARC-Block-Digest: md5:d41d8cd98f00b204e9800998ecf8427e",
			func(h *Header) (any, error) { d, err := h.BlockDigest(); return d.Algorithm + d.Encoding, err }, "md5hex", ""},
		{"payload digest", "WARC-Payload-Digest: crc:1",
			func(h *Header) (any, error) { return h.PayloadDigest() }, "",
			`WARC-Payload-Digest: unknown digest algorithm: "crc"`},
		{"segment", "WARC-Segment-Number: 2", func(h *Header) (any, error) { return h.SegmentNumber() }, "2", ""},
		{"not a number", "WARC-Segment-Number: -2", func(h *Header) (any, error) { return h.SegmentNumber() }, "",
			`WARC-Segment-Number: "-2" is not a number`},
		{"segment origin", "WARC-Segment-Origin-ID: <o>",
			func(h *Header) (any, error) { return h.SegmentOriginID(), nil }, "<o>", ""},
		{"total length", "WARC-Segment-Total-Length: 9223372036854775807",
			func(h *Header) (any, error) { return h.SegmentTotalLength() }, "9223372036854775807", ""},
	} {
		got, err := test.get(header(test.field))
		var f *FieldError
		switch {
		case test.err == "" && (err != nil || fmt.Sprint(got) != test.want):
			t.Errorf("%s: %v, %v, want %s", test.name, got, err, test.want)
		case test.err != "" && (err == nil || err.Error() != test.err || !errors.As(err, &f)):
			t.Errorf("%s: error %v, want %s", test.name, err, test.err)
		}
	}
	if _, err := header("X: y").Date(); !errors.Is(err, ErrNoField) {
		t.Errorf("a missing field: %v", err)
	}
}

// All fields can be reached, as the file spells them, in its order.
func TestAllFields(t *testing.T) {
	h := header("WARC-Type: response", "x-ours: 1", "X-Ours:  folded", "\tvalue", "warc-TARGET-uri: http://a/")
	var got []string
	for name, value := range h.All() {
		got = append(got, name+"="+value)
	}
	want := "[WARC-Type=response x-ours=1 X-Ours=folded value warc-TARGET-uri=http://a/]"
	if fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	if v := h.Values("X-OURS"); fmt.Sprint(v) != "[1 folded value]" || h.Get("X-OURS") != "1" {
		t.Errorf("values %q", v)
	}
	for range h.All() {
		break
	}
}
