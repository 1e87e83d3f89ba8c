package http1

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"quire/format/fault"
)

// codes collects the codes of faults, in order.
type codes []fault.Code

func (c *codes) sink(f fault.Fault) { *c = append(*c, f.Code) }

func (c codes) String() string {
	text := make([]string, len(c))
	for i, code := range c {
		text[i] = strings.TrimPrefix(string(code), "HTTP-")
	}
	return strings.Join(text, " ")
}

func TestStatusLine(t *testing.T) {
	tests := []struct {
		name, line             string
		proto, version, status string
		code                   int
		reason, faults         string
	}{
		{"as RFC 9112 has it", "HTTP/1.1 200 OK", "HTTP/1.1", "1.1", "200 OK", 200, "OK", ""},
		{"empty reason, with its space", "HTTP/1.0 404 ", "HTTP/1.0", "1.0", "404 ", 404, "", ""},
		{"no reason", "HTTP/1.1 200", "HTTP/1.1", "1.1", "200", 200, "", "NO-REASON"},
		{"HTTP/2 as browsers say it", "HTTP/2 200 ", "HTTP/2", "2", "200 ", 200, "", "VERSION"},
		{"HTTP/2.0 as libraries say it", "HTTP/2.0 200 OK", "HTTP/2.0", "2", "200 OK", 200, "OK", "VERSION"},
		{"HTTP/3", "HTTP/3 200", "HTTP/3", "3", "200", 200, "", "VERSION NO-REASON"},
		{"Shoutcast", "ICY 200 OK", "ICY", "", "200 OK", 200, "OK", "VERSION"},
		{"no version", "HTTP 200 OK", "HTTP", "", "200 OK", 200, "OK", "VERSION"},
		{"lower case", "http/1.1 200 ok", "http/1.1", "1.1", "200 ok", 200, "ok", "VERSION"},
		{"no space before the code", "HTTP/1.1200 OK", "HTTP/1.1", "1.1", "200 OK", 200, "OK", "START-LINE"},
		{"no space after the code", "HTTP/1.1 200OK", "HTTP/1.1", "1.1", "200OK", 200, "OK", "START-LINE"},
		{"two spaces", "HTTP/1.1  200 OK", "HTTP/1.1", "1.1", "200 OK", 200, "OK", "START-LINE"},
		{"reason with spaces", "HTTP/1.1 302 Moved Temporarily", "HTTP/1.1", "1.1", "302 Moved Temporarily", 302,
			"Moved Temporarily", ""},
		{"four digits", "HTTP/1.1 2000 OK", "HTTP/1.1", "1.1", "2000 OK", 0, "OK", "STATUS-CODE"},
		{"below 100", "HTTP/1.1 099 OK", "HTTP/1.1", "1.1", "099 OK", 0, "OK", "STATUS-CODE"},
		{"no code", "HTTP/1.1 OK", "HTTP/1.1", "1.1", "OK", 0, "OK", "STATUS-CODE START-LINE"},
		{"nothing but the version", "HTTP/1.1", "HTTP/1.1", "1.1", "", 0, "", "STATUS-CODE"},
		{"latin-1 reason", "HTTP/1.1 404 Nicht gefunden \xfc", "HTTP/1.1", "1.1", "404 Nicht gefunden \xfc", 404,
			"Nicht gefunden \xfc", "ENCODING"},
		{"UTF-8 reason", "HTTP/1.1 404 für immer", "HTTP/1.1", "1.1", "404 für immer", 404, "für immer", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got codes
			text := tt.line + "\r\n\r\n"
			h, n, err := ParseHead([]byte(text), Response, got.sink)
			if err != nil || n != len(text) {
				t.Fatalf("n = %d, err = %v; want %d, nil", n, err, len(text))
			}
			if h.Kind != Response || h.Proto != tt.proto || h.Version != tt.version || h.StatusCode != tt.code ||
				h.Status != tt.status || h.Reason != tt.reason {
				t.Errorf("got %+v", h)
			}
			if got.String() != tt.faults {
				t.Errorf("faults %q, want %q", got, tt.faults)
			}
		})
	}
}

func TestRequestLine(t *testing.T) {
	tests := []struct {
		name, line, method, target, version, faults string
	}{
		{"origin form", "GET /a?b=c HTTP/1.1", "GET", "/a?b=c", "1.1", ""},
		{"absolute form", "GET http://example.org/ HTTP/1.0", "GET", "http://example.org/", "1.0", ""},
		{"own method", "X-FOO * HTTP/1.1", "X-FOO", "*", "1.1", ""},
		{"HTTP/0.9", "GET /a", "GET", "/a", "", "VERSION"},
		{"space in target", "GET /a b HTTP/1.1", "GET", "/a b", "1.1", "START-LINE"},
		{"two spaces", "GET  /a HTTP/1.1", "GET", "/a", "1.1", "START-LINE"},
		{"HTTP/2", "GET /a HTTP/2", "GET", "/a", "2", "VERSION"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, kind := range []Kind{Request, Any} {
				var got codes
				h, _, err := ParseHead([]byte(tt.line+"\r\nHost: example.org\r\n\r\n"), kind, got.sink)
				if err != nil {
					t.Fatal(err)
				}
				if h.Kind != Request || h.Method != tt.method || h.Target != tt.target || h.Version != tt.version ||
					h.Get("host") != "example.org" {
					t.Errorf("%v: got %+v", kind, h)
				}
				if got.String() != tt.faults {
					t.Errorf("%v: faults %q, want %q", kind, got, tt.faults)
				}
			}
		})
	}
}

func TestFields(t *testing.T) {
	tests := []struct {
		name, lines string
		want        []Field
		faults      string
	}{
		{"none", "", []Field{}, ""},
		{"plain", "A: b\r\nc:d\r\n", []Field{{"A", "b"}, {"c", "d"}}, ""},
		{"repeated, in order", "Set-Cookie: a\r\nX: y\r\nset-cookie: b\r\n",
			[]Field{{"Set-Cookie", "a"}, {"X", "y"}, {"set-cookie", "b"}}, ""},
		{"white space around the value", "A: \t b c \t\r\n", []Field{{"A", "b c"}}, ""},
		{"empty value", "A:\r\n", []Field{{"A", ""}}, ""},
		{"colon in value", "A: b:c\r\n", []Field{{"A", "b:c"}}, ""},
		{"no colon", "rubbish\r\nA: b\r\n", []Field{{"", "rubbish"}, {"A", "b"}}, "NO-COLON"},
		{"space before colon", "A : b\r\n", []Field{{"A", "b"}}, "SPACE-BEFORE-COLON"},
		{"empty name", ": b\r\n", []Field{{"", "b"}}, "FIELD-NAME"},
		{"space in name", "A B: c\r\n", []Field{{"A B", "c"}}, "FIELD-NAME"},
		{"a type of two minds", "Content-Type: a/b\r\nX: y\r\ncontent-type: c/d\r\n",
			[]Field{{"Content-Type", "a/b"}, {"X", "y"}, {"content-type", "c/d"}}, "FIELD-CONFLICT"},
		{"a type said twice", "Content-Type: a/b\r\nContent-Type: a/b\r\nContent-Type:\r\n",
			[]Field{{"Content-Type", "a/b"}, {"Content-Type", "a/b"}, {"Content-Type", ""}}, ""},
		{"two places", "Location: /a\r\nLocation: /b\r\nLocation: /c\r\n",
			[]Field{{"Location", "/a"}, {"Location", "/b"}, {"Location", "/c"}}, "FIELD-CONFLICT"},
		{"folded", "A: b\r\n  c\r\n\td\r\nE: f\r\n", []Field{{"A", "b c d"}, {"E", "f"}}, "OBS-FOLD"},
		{"folded, nothing before", "A:\r\n b\r\n", []Field{{"A", "b"}}, "OBS-FOLD"},
		{"first line folded", " A: b\r\n", []Field{{"A", "b"}}, "OBS-FOLD"},
		{"blank line that is not empty", "A: b\r\n \r\nC: d\r\n", []Field{{"A", "b"}, {"C", "d"}}, "OBS-FOLD"},
		{"NUL", "A: b\x00c\r\n", []Field{{"A", "b\x00c"}}, "FIELD-VALUE"},
		{"latin-1", "A: \xe9\r\nB: \xe8\r\n", []Field{{"A", "\xe9"}, {"B", "\xe8"}}, "ENCODING"},
		{"lone CR", "A: b\rc\r\n", []Field{{"A", "b\rc"}}, "FIELD-VALUE"},
		{"bare LF", "A: b\nC: d\r\n", []Field{{"A", "b"}, {"C", "d"}}, "LINE-END"},
		{"CR CR LF", "A: b\r\r\nC: d\r\n", []Field{{"A", "b"}, {"C", "d"}}, "LINE-END"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got codes
			text := "HTTP/1.1 200 OK\r\n" + tt.lines + "\r\n"
			h, n, err := ParseHead([]byte(text+"body"), Response, got.sink)
			if err != nil || n != len(text) || h.Raw() != text {
				t.Fatalf("n = %d, raw = %q, err = %v; want %d", n, h.Raw(), err, len(text))
			}
			if len(h.Fields) != len(tt.want) {
				t.Fatalf("fields %q, want %q", h.Fields, tt.want)
			}
			for i, f := range h.Fields {
				if f != tt.want[i] {
					t.Errorf("field %d is %q, want %q", i, f, tt.want[i])
				}
			}
			if got.String() != tt.faults {
				t.Errorf("faults %q, want %q", got, tt.faults)
			}
		})
	}
}

func TestHeadEnds(t *testing.T) {
	tests := []struct {
		name, head, body string
		fields           int
		faults           string
	}{
		{"CRLF", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "body", 1, ""},
		{"LF", "HTTP/1.1 200 OK\nA: b\n\n", "\nbody", 1, "LINE-END"},
		{"CR", "HTTP/1.1 200 OK\rA: b\r\r", "\rbody\n", 1, "LINE-END"},
		{"CR, and no body", "HTTP/1.1 200 OK\rA: b\r\r", "", 1, "LINE-END"},
		{"CR CR LF", "HTTP/1.1 200 OK\r\r\nA: b\r\r\n\r\r\n", "body", 1, "LINE-END"},
		{"mixed", "HTTP/1.1 200 OK\r\nA: b\n\r\n", "body", 1, "LINE-END"},
		{"blank lines first", "\r\n \nHTTP/1.1 200 OK\r\nA: b\r\n\r\n", "body", 1, "LEADING-BLANK"},
		{"no empty line", "HTTP/1.1 200 OK\r\nA: b\r\n", "", 1, "HEAD-UNTERMINATED"},
		{"ends in a line", "HTTP/1.1 200 OK\r\nA: b", "", 1, "HEAD-UNTERMINATED"},
		{"ends in a CR", "HTTP/1.1 200 OK\r\nA: b\r", "", 1, "HEAD-UNTERMINATED"},
		{"ends in the CR of the empty line", "HTTP/1.1 200 OK\r\nA: b\r\n\r", "", 1, "HEAD-UNTERMINATED"},
		{"status line alone", "HTTP/1.1 200 OK", "", 0, "HEAD-UNTERMINATED"},
		{"CR without empty line", "HTTP/1.1 200 OK\rA: b", "", 1, "LINE-END HEAD-UNTERMINATED"},
		{"no head", "", "<html></html>", 0, "NO-START-LINE"},
		{"no head, blank first", "", "\r\n <html>", 0, "NO-START-LINE"},
		{"no head but a begin of one", "", "HTT", 0, "NO-START-LINE"},
		{"no head but blanks", "", "\r\n", 0, "NO-START-LINE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got codes
			h, n, err := ParseHead([]byte(tt.head+tt.body), Response, got.sink)
			if n != len(tt.head) || errors.Is(err, ErrNoHead) != (n == 0) {
				t.Errorf("n = %d, err = %v; want %d", n, err, len(tt.head))
			}
			if h.Raw() != tt.head || len(h.Fields) != tt.fields || tt.fields > 0 && h.Get("a") != "b" {
				t.Errorf("got %+v", h)
			}
			if got.String() != tt.faults {
				t.Errorf("faults %q, want %q", got, tt.faults)
			}
		})
	}
}

func TestHugeHeads(t *testing.T) {
	start := "HTTP/1.1 200 OK\r\n"
	tests := []struct {
		name, text string
		n          int
		fields     int
		faults     string
	}{
		{"at the bound", start + "A: " + strings.Repeat("b", MaxHead-len(start)-7) + "\r\n\r\n" + "body", MaxHead, 1,
			""},
		{"beyond the bound", start + "A: " + strings.Repeat("b", 2*MaxHead), MaxHead, 1, "HEAD-TOO-LARGE"},
		{"many fields", start + strings.Repeat("A:b\r\n", MaxFields+5) + "\r\n", len(start) + 5*(MaxFields+5) + 2,
			MaxFields, "TOO-MANY-FIELDS"},
		{"many folds", start + "A:b\r\n" + strings.Repeat(" c\r\n", 100_000) + "\r\n", len(start) + 5 + 400_000 + 2, 1,
			"OBS-FOLD"},
		{"many broken lines are one fault", start + strings.Repeat("A\r\n", 1000) + "\r\n", len(start) + 3002, 1000,
			"NO-COLON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got codes
			h, n, err := ParseHead([]byte(tt.text), Response, got.sink)
			if n != tt.n || err != nil || len(h.Fields) != tt.fields || len(h.Raw()) != n {
				t.Errorf("n = %d, %d fields, err = %v; want %d, %d", n, len(h.Fields), err, tt.n, tt.fields)
			}
			if got.String() != tt.faults {
				t.Errorf("faults %q, want %q", got, tt.faults)
			}
		})
	}
}

func TestHeadAccess(t *testing.T) {
	h := Head{Fields: []Field{{"Via", "a"}, {"", "x"}, {"via", "b"}, {"Transfer-Encoding", "GZip;q=1, Chunked"}}}
	if got := h.Get("VIA"); got != "a" {
		t.Errorf("Get: %q", got)
	}
	if got := h.Get(""); got != "" {
		t.Errorf("Get of no name: %q", got)
	}
	if got := h.Values("Via"); len(got) != 2 || got[1] != "b" {
		t.Errorf("Values: %q", got)
	}
	if got := h.TransferCodings(); len(got) != 2 || got[0] != "gzip" || !h.Chunked() {
		t.Errorf("TransferCodings: %q", got)
	}
}

func FuzzParseHead(f *testing.F) {
	for _, seed := range []string{"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", "ICY 200\rA\r\r", "HTTP/ 1\n\nb ",
		"HTTP/1.1 103 x\n\nb ", "HTTP/1.1 103 x\n\nHTTP/1.1 200 y\n\nz", "GET / HTTP/1.0\n\n",
		"\r\nHTTP/2 1\r\r\n b\n\r\nc"} {
		f.Add([]byte(seed), uint8(7))
	}
	f.Fuzz(func(t *testing.T, b []byte, step uint8) {
		for _, kind := range []Kind{Any, Response, Request} {
			h, n, err := ParseHead(b, kind, func(fault.Fault) {})
			if n < 0 || n > len(b) || (n == 0) != (err != nil) || h.Raw() != string(b[:n]) {
				t.Fatalf("%v: n = %d of %d, raw = %q, err = %v", kind, n, len(b), h.Raw(), err)
			}
			got, whole := split(t, kind, b, int(step%16)+1), split(t, kind, b, len(b)+1)
			// ParseHead reads one head of any kind
			if got != whole || whole != n && !isInterim(bytes.TrimLeft(b, " \t\r\n")) {
				t.Fatalf("%v: in pieces the head has %d bytes, at once %d, parsed %d", kind, got, whole, n)
			}
		}
	})
}
