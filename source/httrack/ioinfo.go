package httrack

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"quire/internal/lines"
)

// Headers is the place in hts-ioinfo.txt of a request or response header, as sent or received.
type Headers struct {
	Status   int // of a response
	from, to int64
}

// ioinfo parses a header for each request and response:
//
//	[1] request for www.example.org/:      since 3.2x
//	<<< GET / HTTP/1.1
//	[1] response for www.example.org/:
//	code=200
//	>>> HTTP/1.1 200 OK
//
//	Out:                                   3.0x
//	GET http://www.example.org/ HTTP/1.1
//	response for www.example.org/:
//	(Buffer) Status-Code=200
//	(buffer)>Date: Fri, 01 Jun 2001 00:15:52 GMT
type ioinfo struct {
	found  func(url string, response bool, h Headers)
	agent  func(name string)
	secret func(l *lines.Reader, what string)

	url      string // URL of the current header; "" between headers
	response bool
	proxied  bool // 3.0x: the lines of a request have no mark, and end with an empty one
	h        Headers
}

func (p *ioinfo) read(in io.Reader) error {
	l := lines.NewReader(in)
	for l.Scan() {
		p.line(l)
	}
	p.end()
	return l.Err()
}

func (p *ioinfo) line(l *lines.Reader) {
	text, ok := unmark(l.Text, p.proxied)
	switch {
	case ok:
		p.header(l, text)
		return
	case string(l.Text) == "Out:":
		p.end()
		p.proxied = true
		return
	}
	p.proxied = false
	if url, ok := between(l.Text, "request for "); ok {
		p.begin(url, false)
	} else if url, ok := between(l.Text, "response for "); ok {
		p.begin(url, true)
	} else if code, ok := statusOf(l.Text); ok && p.response {
		p.h.Status = code
	} else if p.h.to > 0 {
		p.end()
	}
}

// header processes a line of a header.
func (p *ioinfo) header(l *lines.Reader, text []byte) {
	if p.proxied && p.url == "" {
		if words := strings.Fields(string(text)); len(words) > 1 {
			p.begin(strings.TrimPrefix(words[1], "http://"), false)
			p.proxied = true
		}
	}
	if p.url == "" {
		return
	}
	if p.h.to == 0 {
		p.h.from = l.Offset
	}
	p.h.to = l.End
	name, value, _ := bytes.Cut(text, []byte(":"))
	switch strings.ToLower(string(name)) {
	case "user-agent":
		p.agent(string(bytes.TrimSpace(value)))
	case "cookie", "set-cookie":
		p.secret(l, "cookies")
	case "authorization", "proxy-authorization":
		p.secret(l, "a password")
	}
}

func (p *ioinfo) begin(url string, response bool) {
	p.end()
	p.url, p.response = url, response
}

func (p *ioinfo) end() {
	if p.url != "" && p.h.to > 0 {
		p.found(p.url, p.response, p.h)
	}
	p.url, p.response, p.proxied, p.h = "", false, false, Headers{}
}

// unmark removes the mark from the beginning of a header line.
func unmark(line []byte, proxied bool) ([]byte, bool) {
	for _, mark := range []string{">>> ", "<<< ", "(buffer)>"} {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok {
			return rest, true
		}
	}
	return line, proxied && len(line) > 0
}

// between returns the name in a heading: "[1] request for HOST/PATH:".
func between(line []byte, heading string) (string, bool) {
	if bytes.HasPrefix(line, []byte("[")) {
		if i := bytes.Index(line, []byte("] ")); i > 0 {
			line = line[i+2:]
		}
	}
	rest, ok := bytes.CutPrefix(line, []byte(heading))
	rest, closed := bytes.CutSuffix(rest, []byte(":"))
	return string(rest), ok && closed && len(rest) > 0
}

func statusOf(line []byte) (int, bool) {
	for _, mark := range []string{"code=", "(Buffer) Status-Code="} {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok {
			n, err := strconv.Atoi(string(rest))
			return n, err == nil
		}
	}
	return 0, false
}

// maxHeaders is the maximum size in bytes of a header that is read completely.
const maxHeaders = 1 << 20

// errHeaders reports a header larger than any real server sends.
var errHeaders = errors.New("the header is larger than 1 MiB")

// Header reads a header as sent or received. Its lines end with LF, as HTTrack wrote them. Until
// 3.1x the status line of a response is missing.
func (c *Content) Header(h *Headers) ([]byte, error) {
	if h.to-h.from > maxHeaders {
		return nil, errHeaders
	}
	f, err := c.file(c.mirror.path("hts-ioinfo.txt"))
	if err != nil {
		return nil, err
	}
	return readHeader(f, h)
}

func readHeader(f io.ReaderAt, h *Headers) ([]byte, error) {
	l := lines.NewReader(io.NewSectionReader(f, h.from, h.to-h.from))
	var b bytes.Buffer
	for l.Scan() {
		if text, _ := unmark(l.Text, true); len(text) > 0 {
			b.Write(text)
			b.WriteByte('\n')
		}
	}
	if err := l.Err(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
