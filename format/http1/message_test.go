package http1

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadMessage(t *testing.T) {
	tests := []struct {
		name, text    string
		status        int
		body, payload string
		faults        string
		fails         bool
	}{
		{"plain", "HTTP/1.1 200 OK\r\n\r\nbody", 200, "body", "body", "", false},
		{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", 200,
			"2\r\nab\r\n0\r\n\r\n", "ab", "", false},
		{"said to be chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<html>", 200, "<html>", "<html>",
			"NOT-CHUNKED", false},
		{"chunked and cut", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na", 200, "2\r\na", "a",
			"CHUNK-TRUNCATED", true},
		{"HTTP/0.9", "<html>", 0, "<html>", "<html>", "NO-START-LINE", false},
		{"head only", "HTTP/1.1 304 Not Modified\r\n\r\n", 304, "", "", "", false},
		{"unterminated", "HTTP/1.1 304 Not Modified\r\nA: b", 304, "", "", "HEAD-UNTERMINATED", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := ReadMessage(iotest.OneByteReader(strings.NewReader(tt.text)), Response)
			if err != nil {
				t.Fatal(err)
			}
			status := 0
			if m.Head != nil {
				status = m.Head.StatusCode
			}
			body, err := io.ReadAll(m.Body)
			if err != nil || status != tt.status || string(body) != tt.body ||
				m.HeadLength != int64(len(tt.text)-len(tt.body)) {
				t.Errorf("status %d, head of %d bytes, body %q, %v", status, m.HeadLength, body, err)
			}
			m, err = ReadMessage(strings.NewReader(tt.text), Response)
			if err != nil {
				t.Fatal(err)
			}
			payload, err := io.ReadAll(m.Payload())
			var damage *ChunkError
			if string(payload) != tt.payload || errors.As(err, &damage) != tt.fails {
				t.Errorf("payload %q, %v", payload, err)
			}
			var got codes
			for _, f := range m.Faults {
				got.sink(f)
			}
			if got.String() != tt.faults {
				t.Errorf("faults %q, want %q", got, tt.faults)
			}
		})
	}
}

func TestReadMessageErrors(t *testing.T) {
	if _, err := ReadMessage(strings.NewReader(""), Response); !errors.Is(err, io.EOF) {
		t.Errorf("nothing to read: %v", err)
	}
	if _, err := ReadMessage(iotest.ErrReader(errBroken), Response); !errors.Is(err, errBroken) {
		t.Errorf("broken in the head: %v", err)
	}
	m, err := ReadMessage(io.MultiReader(strings.NewReader("HTTP/1.1 200 OK\r\n\r\nab"), iotest.ErrReader(errBroken)),
		Response)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(m.Payload()); string(got) != "ab" || !errors.Is(err, errBroken) {
		t.Errorf("broken in the body: %q, %v", got, err)
	}
}

func TestContentLength(t *testing.T) {
	tests := []struct {
		name   string
		values []string
		n      int64
		ok     bool
		faults string
	}{
		{"none", nil, 0, false, ""},
		{"one", []string{"42"}, 42, true, ""},
		{"twice the same", []string{"42", "42"}, 42, true, ""},
		{"list of the same (RFC 9110, 8.6)", []string{"42, 42"}, 42, true, ""},
		{"differ", []string{"42", "43"}, 0, false, "CONTENT-LENGTH-CONFLICT"},
		{"list that differs", []string{"42,43"}, 0, false, "CONTENT-LENGTH-CONFLICT"},
		{"negative", []string{"-1"}, 0, false, "CONTENT-LENGTH"},
		{"signed", []string{"+1"}, 0, false, "CONTENT-LENGTH"},
		{"empty", []string{""}, 0, false, "CONTENT-LENGTH"},
		{"too large", []string{"9223372036854775808"}, 0, false, "CONTENT-LENGTH"},
		{"largest", []string{"9223372036854775807"}, 1<<63 - 1, true, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var h Head
			for _, v := range tt.values {
				h.Fields = append(h.Fields, Field{"content-length", v})
			}
			var got codes
			if n, ok := h.ContentLength(got.sink); n != tt.n || ok != tt.ok || got.String() != tt.faults {
				t.Errorf("%d, %v, faults %q", n, ok, got)
			}
		})
	}
}

func TestCheckLength(t *testing.T) {
	tests := []struct {
		name   string
		status int
		fields []Field
		got    int64
		faults string
	}{
		{"agrees", 200, []Field{{"Content-Length", "5"}}, 5, ""},
		{"not declared", 200, nil, 5, ""},
		{"short", 200, []Field{{"Content-Length", "5"}}, 4, "BODY-SHORT"},
		{"long", 200, []Field{{"Content-Length", "5"}}, 6, "BODY-LONG"},
		{"not modified", 304, []Field{{"Content-Length", "5"}}, 0, ""},
		{"not modified, and a body", 304, []Field{{"Content-Length", "5"}}, 5, "BODY-UNEXPECTED"},
		{"no content, and some", 204, nil, 1, "BODY-UNEXPECTED"},
		{"an interim answer, and the final one", 100, nil, 50, "BODY-UNEXPECTED"},
		{"chunked", 200, []Field{{"Transfer-Encoding", "chunked"}}, 5, ""},
		{"identity, of RFC 2616", 200, []Field{{"Transfer-Encoding", "identity"}}, 5, ""},
		{"a coding that is not removed", 200, []Field{{"Transfer-Encoding", "gzip, chunked"}}, 5, "TRANSFER-CODING"},
		{"no coding", 200, []Field{{"Transfer-Encoding", "UTF-8"}}, 5, "TRANSFER-CODING"},
		{"chunked twice", 200, []Field{{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}}, 5,
			"TRANSFER-CODING"},
		{"no number", 200, []Field{{"Content-Length", "five"}}, 4, "CONTENT-LENGTH"},
		{"chunked has its own end", 200, []Field{{"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}}, 20,
			"LENGTH-AND-CODING"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got codes
			h := Head{StatusCode: tt.status, Fields: tt.fields}
			h.CheckLength(tt.got, got.sink)
			if got.String() != tt.faults {
				t.Errorf("faults %q, want %q", got, tt.faults)
			}
		})
	}
}

func TestWriteHead(t *testing.T) {
	for _, text := range []string{
		"HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "\r\nICY 200\nA b\n c : d\n\n", "HTTP/1.0 200 OK\rA:b\r\r",
		"GET /a b HTTP/1.1\r\nA: b",
	} {
		h, _, err := ParseHead([]byte(text), Any, nil)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := WriteHead(&b, &h); err != nil || b.String() != text {
			t.Errorf("wrote %q of %q, %v", b.String(), text, err)
		}
	}
	tests := []struct {
		name string
		head Head
		want string // "" if it cannot be written
	}{
		{"response", Head{Kind: Response, StatusCode: 200, Reason: "OK", Fields: []Field{{"A", "b"}}},
			"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"},
		{"no reason", Head{Proto: "HTTP/1.0", StatusCode: 404}, "HTTP/1.0 404 \r\n\r\n"},
		{"request", Head{Kind: Request, Method: "GET", Target: "/", Fields: []Field{{"Host", "a"}}},
			"GET / HTTP/1.1\r\nHost: a\r\n\r\n"},
		{"no status", Head{Kind: Response}, ""},
		{"reason that would split", Head{StatusCode: 200, Reason: "a\r\nB: c"}, ""},
		{"value that would split", Head{StatusCode: 200, Fields: []Field{{"A", "b\r\nC: d"}}}, ""},
		{"field without name", Head{StatusCode: 200, Fields: []Field{{"", "b"}}}, ""},
		{"target with space", Head{Kind: Request, Method: "GET", Target: "/a b"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			err := WriteHead(&b, &tt.head)
			if b.String() != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("wrote %q, %v", b.String(), err)
			}
		})
	}
	if err := WriteHead(&broken{}, &tests[0].head); !errors.Is(err, errBroken) {
		t.Errorf("to a broken writer: %v", err)
	}
}

func TestFresh(t *testing.T) {
	h, _, err := ParseHead([]byte("HTTP/1.1 200 OK\nA:b\n\n"), Response, nil)
	if err != nil {
		t.Fatal(err)
	}
	fresh := h.Fresh()
	fresh.Fields[0].Value = "c"
	var b bytes.Buffer
	if err := WriteHead(&b, fresh); err != nil || b.String() != "HTTP/1.1 200 OK\r\nA: c\r\n\r\n" || h.Get("A") != "b" {
		t.Errorf("wrote %q, %v; the first head has A: %s", b.String(), err, h.Get("A"))
	}
}

func ExampleReadMessage() {
	m,
		err := ReadMessage(strings.NewReader("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"+
		"0\r\n\r\n"), Response)
	if err != nil {
		fmt.Println(err)
		return
	}
	payload, err := io.ReadAll(m.Payload())
	fmt.Printf("%d %q %v\n", m.Head.StatusCode, payload, err)
	// Output: 200 "hello" <nil>
}
