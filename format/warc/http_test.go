package warc

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"quire/format/fault"
	"quire/format/http1"
	"quire/format/httpcoding"
)

var day = time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)

func squeezed(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, s); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

func chunked(s string) string {
	half := len(s) / 2
	return fmt.Sprintf("%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", half, s[:half], len(s)-half, s[half:])
}

// stored is a record with that Content-Type and block, read back.
func stored(t testing.TB, kind, contentType, block string) *Record {
	t.Helper()
	file := fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x>\r\nWARC-Target-URI: http://a/\r\n"+
		"Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, contentType, len(block), block)
	rec, err := NewReader(strings.NewReader(file)).Next()
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

const (
	response = "application/http;msgtype=response"
	request  = "application/http; msgtype=request"
)

func TestPayload(t *testing.T) {
	text := strings.Repeat("some content, ", 3000)
	packed := squeezed(t, text)
	for _, test := range []struct {
		name, kind, contentType, block string
		start                          string // status or method; "" if there is no head
		payload, decoded               string
		err                            error // of HTTP
	}{
		{"a response", "response", response, "HTTP/1.1 200 OK\r\nA: b\r\n\r\n" + text, "200 OK", text, text, nil},
		{"chunked", "response", response, "HTTP/1.1 200 OK\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n" + chunked(text), "200 OK",
			text, text, nil},
		{"coded", "response", response, "HTTP/1.1 200 OK\r\nContent-Encoding: " +
			"gzip\r\n\r\n" + packed, "200 OK", packed, text,
			nil},
		{"coded and chunked", "response", response,
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: " +
				"gzip\r\n\r\n" + chunked(packed), "200 OK",
			packed, text, nil},
		{"not coded as said", "response", response,
			"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + text, "200 OK", text,
			text, nil},
		{"a request", "request", request, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "", "", nil},
		{"a revisit", "revisit", response, "HTTP/1.1 304 Not Modified\r\n\r\n", "304 Not Modified", "", "", nil},
		{"HTTP/0.9", "response", response, "<html>" + text, "", "<html>" + text, "<html>" + text, http1.ErrNoHead},
		{"a resource", "resource", "text/plain", text, "", text, text, ErrNotHTTP},
		{"a DNS answer", "response", "text/dns", "20240506 a. 300 IN A 192.0.2.1", "", "20240506 a. 300 IN A 192.0.2.1",
			"20240506 a. 300 IN A 192.0.2.1", ErrNotHTTP},
		{"nothing", "response", response, "", "", "", "", http1.ErrNoHead},
	} {
		rec := stored(t, test.kind, test.contentType, test.block)
		head, err := rec.HTTP()
		if !errors.Is(err, test.err) {
			t.Errorf("%s: HTTP: %v", test.name, err)
		}
		if err == nil && head.Status+head.Method != test.start {
			t.Errorf("%s: starts with %q %q", test.name, head.Status, head.Method)
		}
		if block, err := io.ReadAll(rec); err != nil || string(block) != test.block {
			t.Errorf("%s: the block changed: %.80q, %v", test.name, block, err)
		}
		p, err := stored(t, test.kind, test.contentType, test.block).Payload()
		if got, rerr := content(p, err); rerr != nil || got != test.payload {
			t.Errorf("%s: payload %.80q, %v", test.name, got, rerr)
		}
		p, err = stored(t, test.kind, test.contentType, test.block).DecodedPayload()
		if got, rerr := content(p, err); rerr != nil || got != test.decoded {
			t.Errorf("%s: decoded %.80q, %v", test.name, got, rerr)
		}
	}
}

func content(r io.Reader, err error) (string, error) {
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r)
	return string(b), err
}

// TestPayloadBreaksOff checks that reading a truncated payload returns the readable part, and then
// an error that states the reason.
func TestPayloadBreaksOff(t *testing.T) {
	text := strings.Repeat("some content, ", 3000)
	packed := squeezed(t, text)
	broken := packed[:len(packed)-20]
	head := "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
	_, err := content(stored(t, "response", response, head+broken).DecodedPayload())
	var f fault.Fault
	if !errors.As(err, &f) || f.Code != httpcoding.CodingTruncated {
		t.Errorf("a coding that breaks off: %v", err)
	}
	_, err = content(stored(t, "response", response,
		"HTTP/1.1 200 OK\r\nContent-Encoding: x-ours\r\n\r\n"+text).DecodedPayload())
	if !errors.As(err, &f) || f.Code != httpcoding.CodingUnknown {
		t.Errorf("a coding that is not known: %v", err)
	}
	framed := chunked(text)
	_, err = content(stored(t, "response", response,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+framed[:len(framed)-50]).Payload())
	var c *http1.ChunkError
	if !errors.As(err, &c) {
		t.Errorf("framing that breaks off: %v", err)
	}
	whole := record("response", head+packed)
	whole = strings.Replace(whole, "\r\n\r\n", "\r\nContent-Type: "+response+"\r\n\r\n", 1)
	for name, get := range map[string]func(*Record) (io.Reader, error){
		"payload": (*Record).Payload, "decoded": (*Record).DecodedPayload} {
		rec, err := NewReader(strings.NewReader(whole[:len(whole)-30])).Next()
		if err != nil {
			t.Fatal(err)
		}
		if _, err = content(get(rec)); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s of a block that is cut short: %v", name, err)
		}
	}
}

// Asked in the wrong order, methods fail rather than give a part for the whole.
func TestBlockReadBefore(t *testing.T) {
	block := "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("body ", 5000)
	read := func(rec *Record) {
		if _, err := io.ReadFull(rec, make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
	}
	for name, ask := range map[string]func(*Record) error{
		"HTTP":    func(rec *Record) error { read(rec); _, err := rec.HTTP(); return err },
		"Payload": func(rec *Record) error { read(rec); _, err := rec.Payload(); return err },
		"Verify":  func(rec *Record) error { read(rec); _, err := rec.Verify(nil); return err },
		"Copy": func(rec *Record) error {
			read(rec)
			w, _ := NewWriter(io.Discard, WriterOptions{})
			_, _, err := w.Copy(rec)
			return err
		},
		"Payload after HTTP and Read": func(rec *Record) error {
			if _, err := rec.HTTP(); err != nil {
				return err
			}
			read(rec)
			_, err := rec.Payload()
			return err
		},
		"Copy after HTTP and Read": func(rec *Record) error {
			if _, err := rec.HTTP(); err != nil {
				return err
			}
			read(rec)
			w, _ := NewWriter(io.Discard, WriterOptions{})
			_, _, err := w.Copy(rec)
			return err
		},
	} {
		if err := ask(stored(t, "response", response, block)); !errors.Is(err, ErrBlockRead) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
