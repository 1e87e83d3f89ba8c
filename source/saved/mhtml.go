package saved

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"time"

	"quire/internal/lines"
)

// archive is an MHTML file (RFC 2557): a MIME message of the page and all that it embeds.
type archive struct {
	url   string // of the page, as stated; "" if no header states it
	title string
	maker string // the From or X-MimeOLE field: the program that saved it
	time  time.Time
	parts []part
	more  bool // it has more parts than are read
	cut   bool // it ends before its last boundary
}

// part is a part of an archive.
type part struct {
	url, mime, coding string
	from, to          int64 // its body in the file, in bytes
}

const (
	maxHeader = 64 << 10 // bytes of the header of a message or a part
	maxParts  = 20_000
	maxURL    = 8 << 10 // bytes of the URL of a part; a longer one is none
	maxType   = 256     // bytes of its media type
)

// looksLikeMHTML reports whether a file may be an MHTML file, by its first bytes.
func looksLikeMHTML(head []byte) bool {
	h, err := header(head)
	return err == nil && boundaryOf(h) != ""
}

// header reads the header of a message or a part. It may be cut behind the end of the header.
func header(b []byte) (textproto.MIMEHeader, error) {
	return textproto.NewReader(bufio.NewReader(io.LimitReader(bytes.NewReader(b), maxHeader))).ReadMIMEHeader()
}

// boundaryOf returns the boundary of a message with related parts; "" for another one.
func boundaryOf(h textproto.MIMEHeader) string {
	kind, p, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || kind != "multipart/related" || h.Get("MIME-Version") == "" {
		return ""
	}
	return p["boundary"]
}

// content is an opened MHTML file.
type content interface {
	io.ReadSeeker
	io.ReaderAt
}

// readArchive finds the parts of an MHTML file in one pass.
func readArchive(in content) (*archive, error) {
	head := make([]byte, maxHeader)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	h, err := header(head[:n])
	if err != nil {
		return nil, err
	}
	boundary := boundaryOf(h)
	if boundary == "" {
		return nil, errors.New("its header names no related parts")
	}
	a := &archive{url: strings.TrimSpace(h.Get("Snapshot-Content-Location")), maker: h.Get("From"), cut: true}
	if a.url == "" {
		a.url = strings.TrimSpace(h.Get("Content-Location"))
	}
	if ole := h.Get("X-MimeOLE"); ole != "" {
		a.maker = ole
	}
	a.title, _ = new(mime.WordDecoder).DecodeHeader(h.Get("Subject")) // as it is if it cannot be decoded
	if t, err := mail.ParseDate(h.Get("Date")); err == nil {
		a.time = t.UTC()
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if err := a.scan(in, "--"+boundary); err != nil {
		return nil, err
	}
	return a, a.trim(in)
}

// scan reads the lines of the file: a boundary ends a part and begins the next one.
func (a *archive) scan(in io.Reader, boundary string) error {
	l := lines.NewReader(in)
	var head []byte
	inHead, inBody := false, false
	for l.Scan() {
		text := strings.TrimRight(string(l.Text), " \t")
		switch {
		case text == boundary || text == boundary+"--":
			if inBody {
				a.parts[len(a.parts)-1].to = l.Offset
			}
			a.more = text == boundary && len(a.parts) == maxParts
			if a.cut = text == boundary && !a.more; !a.cut {
				return nil
			}
			inHead, inBody, head = true, false, nil
		case inHead && len(l.Text) == 0:
			inHead, inBody = false, true
			a.begin(head, l.End)
		case inHead && len(head) < maxHeader:
			head = append(append(head, l.Text...), "\r\n"...)
		}
		if inBody {
			a.parts[len(a.parts)-1].to = l.End
		}
	}
	return l.Err()
}

// trim takes the line end before a boundary from the body: it belongs to the boundary (RFC 2046, 5.1.1).
// The last part of a file that is cut has no boundary behind it, and keeps all its bytes.
func (a *archive) trim(in io.ReaderAt) error {
	for i := range a.parts {
		p := &a.parts[i]
		if a.cut && i == len(a.parts)-1 {
			break
		}
		var last [2]byte
		n := min(p.to-p.from, 2)
		if _, err := in.ReadAt(last[:n], p.to-n); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		switch end := last[:n]; {
		case bytes.HasSuffix(end, []byte("\r\n")):
			p.to -= 2
		case bytes.HasSuffix(end, []byte("\n")):
			p.to--
		}
	}
	return nil
}

// begin adds a part by its header. A header that cannot be read leaves a part without a URL.
func (a *archive) begin(head []byte, from int64) {
	p := part{from: from, to: from}
	if h, err := header(append(head, "\r\n"...)); err == nil {
		if url := strings.TrimSpace(h.Get("Content-Location")); len(url) <= maxURL {
			p.url = url
		}
		if kind := h.Get("Content-Type"); len(kind) <= maxType {
			p.mime = kind
		}
		p.coding = strings.ToLower(strings.TrimSpace(h.Get("Content-Transfer-Encoding")))
		p.coding = p.coding[:min(len(p.coding), maxType)]
	}
	a.parts = append(a.parts, p)
}

// open returns the decoded body of a part.
func (p *part) open(in io.ReadSeeker) (io.ReadCloser, error) {
	if _, err := in.Seek(p.from, io.SeekStart); err != nil {
		return nil, err
	}
	body := io.LimitReader(in, p.to-p.from)
	switch {
	case p.coding == "quoted-printable":
		body = quotedprintable.NewReader(body)
	case p.coding == "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case !p.isPlain():
		return nil, fmt.Errorf("the Content-Transfer-Encoding %.50q is not known", p.coding)
	}
	return io.NopCloser(body), nil
}

// isPlain reports whether the body is as it was, without a coding for mail.
func (p *part) isPlain() bool {
	return p.coding == "" || p.coding == "7bit" || p.coding == "8bit" || p.coding == "binary"
}

// isPage reports whether a part is written by the browser, and not as the server sent it.
func (p *part) isPage() bool {
	kind, _, _ := mime.ParseMediaType(p.mime)
	return kind == "text/html" || kind == "application/xhtml+xml" || kind == "text/css" || kind == "image/svg+xml" ||
		strings.HasPrefix(p.mime, "text/html")
}
