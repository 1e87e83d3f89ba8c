package xmlstream

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"sync"
)

// ErrBase64 means that text is not valid Base64. After it the rest of the element can be skipped,
// and reading can continue.
var ErrBase64 = errors.New("not Base64")

// Base64 writes the content of src as character data in Base64 (RFC 4648, clause 4;
// xs:base64Binary), in one line. It returns the number of bytes read from src. An error of src
// becomes the writer's, because a part must not look complete.
func (w *Writer) Base64(src io.Reader) (n int64, err error) {
	if w.err == nil && len(w.stack) == 0 {
		w.failf("text outside the root element")
	}
	if w.err != nil {
		return 0, w.err
	}
	w.closeTag()
	w.stack[len(w.stack)-1].hasText = true
	raw := rawBuffers.Get().(*[]byte)
	defer rawBuffers.Put(raw)
	for w.err == nil {
		got, err := io.ReadFull(src, (*raw)[:encodeSize])
		n += int64(got)
		w.buf = base64.StdEncoding.AppendEncode(w.buf, (*raw)[:got])
		w.flushFull()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			w.Fail(fmt.Errorf("reading the source of the Base64: %w", err))
		}
	}
	return n, w.err
}

// Sizes of the pieces encoded and decoded at once, in bytes: whole groups of three.
const (
	encodeSize = bufferSize / 2 / 4 * 3 // half of the writer's buffer
	rawSize    = bufferSize/4*3 + 3     // all bytes in the reader's buffer
)

var rawBuffers = sync.Pool{New: func() any {
	b := make([]byte, rawSize)
	return &b
}}

// CopyBase64 reads the current element to its end, decodes its text and writes the bytes to w as it
// reads, whatever their number. White space may be anywhere (xs:base64Binary). Invalid Base64 is an
// [ErrBase64] with its place; w then has the bytes before it.
func (r *Reader) CopyBase64(w io.Writer) (n int64, err error) {
	raw := rawBuffers.Get().(*[]byte)
	defer rawBuffers.Put(raw)
	d := &decoder{out: w, buf: (*raw)[:0]}
	err = r.copyTo(d)
	return d.n, err
}

// decoder decodes Base64.
type decoder struct {
	out   io.Writer
	n     int64  // bytes written
	group uint32 // the digits of an incomplete group
	have  int    // how many
	pad   int    // equals signs still required
	ended bool   // an equals sign was read
	buf   []byte
}

// Meanings of a byte in Base64, besides the values of the 64 digits.
const (
	badDigit  = 0xff
	spaceByte = 0xfe
)

var digits = func() (t [256]uint8) {
	for i := range t {
		t[i] = badDigit
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for i := range len(alphabet) {
		t[alphabet[i]] = uint8(i)
	}
	for i := range len(whiteSpace) {
		t[whiteSpace[i]] = spaceByte
	}
	return t
}()

// places are the values of digits at the four places of a group, so that a group takes four
// look-ups. notWhole marks all other bytes.
var places = func() (t [4][256]uint32) {
	for b, v := range digits {
		for i := range t {
			t[i][b] = uint32(v) << (18 - 6*i)
			if v >= spaceByte {
				t[i][b] = notWhole
			}
		}
	}
	return t
}()

const notWhole = 1 << 24

func (d *decoder) take(p []byte) (n int, err error) {
	for n < len(p) {
		if d.have == 0 && !d.ended {
			n += d.groups(p[n:])
		}
		if n == len(p) || p[n] == '<' || p[n] == '&' {
			break
		}
		if err = d.one(p[n]); err != nil {
			break
		}
		n++
	}
	return n, errors.Join(err, d.flush())
}

// groups decodes whole adjacent groups of four digits, and returns the number of bytes.
func (d *decoder) groups(p []byte) (n int) {
	out := d.buf
	for ; len(p)-n >= 4; n += 4 {
		g := p[n : n+4 : n+4]
		v := places[0][g[0]] | places[1][g[1]] | places[2][g[2]] | places[3][g[3]]
		if v >= notWhole {
			break
		}
		out = append(out, byte(v>>16), byte(v>>8), byte(v))
	}
	d.buf = out
	return n
}

// one decodes one byte: a digit, white space, or an equals sign.
func (d *decoder) one(b byte) error {
	switch v := digits[b]; {
	case v == spaceByte:
		return nil
	case b == '=':
		return d.equals()
	case v == badDigit:
		return notBase64("it contains %q", b)
	case d.ended:
		return notBase64("%q follows its end", b)
	default:
		d.group = d.group<<6 | uint32(v)
		d.have++
	}
	if d.have == 4 {
		d.buf = append(d.buf, byte(d.group>>16), byte(d.group>>8), byte(d.group))
		d.group, d.have = 0, 0
	}
	return nil
}

// equals decodes an equals sign: two follow two digits, one follows three. The unused bits of the
// last digit are 0.
func (d *decoder) equals() error {
	switch {
	case d.ended && d.pad == 0 || d.have < 2 && !d.ended:
		return notBase64("a misplaced equals sign")
	case d.ended:
		d.pad--
		return nil
	case d.have == 2 && d.group&0xf == 0:
		d.buf, d.pad = append(d.buf, byte(d.group>>4)), 1
	case d.have == 3 && d.group&0x3 == 0:
		d.buf = append(d.buf, byte(d.group>>10), byte(d.group>>2))
	default:
		return notBase64("its last digit has unused bits that are not 0")
	}
	d.group, d.have, d.ended = 0, 0, true
	return nil
}

func (d *decoder) literal(p []byte) error {
	n, err := d.take(p)
	if err == nil && n < len(p) {
		return notBase64("it contains %q", p[n])
	}
	return err
}

func (d *decoder) end() error {
	if d.have > 0 || d.pad > 0 {
		return notBase64("it ends within a group of four")
	}
	return nil
}

// flush writes the decoded bytes.
func (d *decoder) flush() error {
	if len(d.buf) == 0 {
		return nil
	}
	n, err := d.out.Write(d.buf)
	d.n += int64(n)
	d.buf = d.buf[:0]
	if err != nil {
		return fmt.Errorf("writing the decoded bytes: %w", err)
	}
	return nil
}

func notBase64(format string, args ...any) error {
	return contentError{fmt.Errorf("%w: "+format, append([]any{ErrBase64}, args...)...)}
}
