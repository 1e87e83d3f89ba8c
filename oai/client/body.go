package client

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"quire/internal/blockbuffer"
	"quire/model"
)

// ErrTooLarge is the error of an answer larger than the options allow.
var ErrTooLarge = errors.New("the answer is too large")

// take reads the body of an answer, removes its content coding, and converts it to UTF-8.
func (c *Client) take(w *responseTimer, a *Answer, resp *http.Response) error {
	counted := &counting{from: timedReader{resp.Body, w}}
	in := bufio.NewReaderSize(counted, 64<<10)
	err := c.decoded(a, in, resp.Header)
	a.Sent = counted.n
	if err == nil && resp.ContentLength >= 0 && counted.n < resp.ContentLength &&
		resp.Request.Method != http.MethodHead {
		err = &transient{fmt.Errorf("%w: %d of %d bytes arrived", ErrCut, counted.n, resp.ContentLength)}
	}
	return err
}

type counting struct {
	from io.Reader
	n    int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

// decoded removes the actual content coding, which may differ from the header.
func (c *Client) decoded(a *Answer, in *bufio.Reader, h http.Header) error {
	head, err := in.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	err = nil // empty or one-byte answers are judged elsewhere
	said := strings.ToLower(strings.TrimSpace(h.Get("Content-Encoding")))
	var from io.Reader = in
	switch {
	case len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b:
		a.Coding = "gzip"
		from, err = gzip.NewReader(in)
	case said == "deflate" && len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0:
		a.Coding = "deflate"
		from, err = zlib.NewReader(in)
	case said == "deflate" && len(head) == 2 && head[0] != '<' && head[0] != 0xef:
		a.Coding = "deflate"
		from = flate.NewReader(in)
	case said != "" && said != "identity" && said != "gzip" && said != "x-gzip" && said != "deflate":
		if len(head) > 0 && head[0] != '<' {
			return fmt.Errorf("the answer has the content coding %q, which was not requested", said)
		}
	}
	if err != nil {
		return &transient{fmt.Errorf("the answer is declared as %s: %w", a.Coding, err)}
	}
	if said = strings.TrimPrefix(said, "x-"); said != a.Coding && said != "identity" && len(head) > 0 {
		c.o.Tell.find(CodeEncoding, model.Warning, 0, "",
			fmt.Sprintf("the Content-Encoding is %q, but the answer is %s", said, orPlain(a.Coding)))
	}
	return c.keep(a, from, h)
}

func orPlain(coding string) string {
	if coding == "" {
		return "not compressed"
	}
	return coding
}

// keep stores the answer as UTF-8, without a byte order mark.
func (c *Client) keep(a *Answer, from io.Reader, h http.Header) error {
	in := bufio.NewReaderSize(from, 64<<10)
	head, err := in.Peek(1024)
	if err != nil && !errors.Is(err, io.EOF) {
		return a.broke(err)
	}
	enc, name := encodingOf(head, h)
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		if _, err := in.Discard(3); err != nil {
			return err
		}
	}
	n, err := io.Copy(&a.body, io.LimitReader(in, c.o.MaxBytes+1))
	if n > c.o.MaxBytes {
		return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, c.o.MaxBytes)
	}
	if err == nil && enc != nil {
		return c.recode(a, enc, name)
	}
	return a.broke(err)
}

// recode converts the answer to UTF-8, unless it is UTF-8 already. Half the servers that declare
// another encoding send UTF-8.
func (c *Client) recode(a *Answer, enc encoding.Encoding, name string) error {
	if _, err := io.Copy(io.Discard, transform.NewReader(a.body.Reader(), encoding.UTF8Validator)); err == nil {
		if !strings.HasPrefix(name, "UTF-16") {
			c.o.Tell.find(CodeEncoding, model.Info, 0, "", "the answer declares the encoding "+name+", and is UTF-8")
		}
		return nil
	}
	text := blockbuffer.Buffer{Dir: a.body.Dir}
	n, err := io.Copy(&text, io.LimitReader(enc.NewDecoder().Reader(a.body.Reader()), c.o.MaxBytes+1))
	if err == nil && n > c.o.MaxBytes {
		err = fmt.Errorf("%w: more than %d bytes", ErrTooLarge, c.o.MaxBytes)
	}
	c.o.Tell.find(CodeEncoding, model.Info, 0, "", "the answer is in "+name+", and was converted to UTF-8")
	old := a.body
	a.body = text
	return errors.Join(err, old.Close())
}

// broke returns the error of an answer that ends early because of its content coding or the
// transfer. Disk errors are returned unchanged.
func (a *Answer) broke(err error) error {
	var machine *fs.PathError
	if err == nil || errors.As(err, &machine) {
		return err
	}
	return &transient{fmt.Errorf("%w after %d bytes: %w", ErrCut, a.body.Size(), err)}
}

// encodingOf returns the encoding of the answer by its first bytes or its declarations, or nil for
// UTF-8.
func encodingOf(head []byte, h http.Header) (encoding.Encoding, string) {
	switch {
	case bytes.HasPrefix(head, []byte("\xfe\xff")), bytes.HasPrefix(head, []byte("\xff\xfe")):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "UTF-16"
	case bytes.HasPrefix(head, []byte("\x00<\x00?")), bytes.HasPrefix(head, []byte("\x00<\x00O")):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "UTF-16"
	case bytes.HasPrefix(head, []byte("<\x00?\x00")), bytes.HasPrefix(head, []byte("<\x00O\x00")):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "UTF-16"
	}
	name := declaredEncoding(head)
	if name == "" {
		if _, params, err := mime.ParseMediaType(h.Get("Content-Type")); err == nil {
			name = params["charset"]
		}
	}
	if name == "" || strings.EqualFold(name, "utf-8") || strings.EqualFold(name, "utf8") ||
		strings.HasPrefix(strings.ToLower(name), "utf-16") {
		return nil, ""
	}
	enc, err := htmlindex.Get(name)
	if err != nil {
		return nil, ""
	}
	return enc, name
}

// declaredEncoding returns the encoding in the XML declaration.
func declaredEncoding(head []byte) string {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	end := bytes.Index(head, []byte("?>"))
	if !bytes.HasPrefix(head, []byte("<?xml")) || end < 0 {
		return ""
	}
	_, rest, found := bytes.Cut(head[:end], []byte("encoding"))
	rest = bytes.TrimLeft(rest, " \t\r\n=")
	if !found || len(rest) == 0 {
		return ""
	}
	name, _, _ := bytes.Cut(rest[1:], rest[:1])
	return string(name)
}
