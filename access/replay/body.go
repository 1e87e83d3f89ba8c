package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"quire/holdings"
)

func statusText(s int) string { return strings.TrimSpace(strconv.Itoa(s) + " " + http.StatusText(s)) }

// maxHeld limits the bytes of a body buffered for a range request if its length is unknown until
// the end.
const maxHeld = 4 << 20

// asItIs sends a body unchanged, or the requested range (RFC 9110, 14).
func (c *call) asItIs(found *chosen, body io.Reader, seekable bool) error {
	status := c.status(found)
	wanted := c.r.Header.Get("Range")
	if strings.Contains(wanted, ",") {
		wanted = "" // several ranges: the client must accept the whole instead (RFC 9110, 14.2)
		c.r = c.r.Clone(c.r.Context())
		c.r.Header.Del("Range")
	}
	switch {
	case status != http.StatusOK:
	case seekable && found.Length >= 0:
		s := &sought{c: c, found: found, body: io.NopCloser(body), length: found.Length}
		defer s.Close()
		http.ServeContent(c.w, c.r, "", time.Time{}, s)
		return s.failed
	case wanted != "":
		held, err := io.ReadAll(io.LimitReader(body, maxHeld))
		if err != nil {
			return err
		}
		if len(held) < maxHeld {
			http.ServeContent(c.w, c.r, "", time.Time{}, bytes.NewReader(held))
			return nil
		}
		body = io.MultiReader(bytes.NewReader(held), body)
	}
	if known := found.Length; seekable && known >= 0 {
		c.w.Header().Set("Content-Length", strconv.FormatInt(known, 10))
	}
	c.w.WriteHeader(status)
	if c.r.Method == http.MethodHead {
		return nil
	}
	_, err := io.Copy(c.w, &verified{in: body})
	return c.cutOff(err)
}

// cutOff breaks the connection after an error in the middle of a response, so the client cannot
// mistake a part for the whole.
func (c *call) cutOff(err error) error {
	if err == nil {
		return nil
	}
	if c.r.Context().Err() != nil {
		return c.r.Context().Err() // the client has gone
	}
	c.o.Problem(fmt.Errorf("%s: %w", c.q.URL, err))
	panic(http.ErrAbortHandler)
}

// verified delays reads by one step: the last bytes of a body are sent only after a clean end, not
// before an error.
type verified struct {
	in        io.Reader
	now, next []byte
	a, b      []byte
	err       error
	begun     bool
}

// Read implements io.Reader.
func (v *verified) Read(p []byte) (int, error) {
	if !v.begun {
		v.a, v.b, v.begun = make([]byte, 16<<10), make([]byte, 16<<10), true
		v.next, v.err = v.fill(v.a)
	}
	if len(v.now) == 0 {
		if v.err != nil && !errors.Is(v.err, io.EOF) {
			return 0, v.err
		}
		if len(v.next) == 0 {
			return 0, io.EOF
		}
		v.now, v.next = v.next, nil
		if v.err == nil {
			v.a, v.b = v.b, v.a
			v.next, v.err = v.fill(v.a)
			if v.err != nil && !errors.Is(v.err, io.EOF) {
				return 0, v.err
			}
		}
	}
	n := copy(p, v.now)
	v.now = v.now[n:]
	return n, nil
}

func (v *verified) fill(buf []byte) ([]byte, error) {
	n := 0
	for n < len(buf) {
		m, err := v.in.Read(buf[n:])
		if n += m; err != nil {
			return buf[:n], err
		}
	}
	return buf, nil
}

// sought is a seekable body. It enters the body in the middle, if the repository has points of entry. Otherwise it
// skips forward, and reopens the body to go backward.
type sought struct {
	c      *call
	found  *chosen
	body   io.ReadCloser
	in     io.Reader
	length int64
	at     int64 // offset in body
	want   int64 // offset of the next Read
	failed error
}

// Seek implements io.Seeker.
func (s *sought) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += s.want
	case io.SeekEnd:
		offset += s.length
	}
	s.want = offset
	return offset, nil
}

// maxSkipped is how many bytes are skipped rather than a body entered at another place.
const maxSkipped = 1 << 20

// Read implements io.Reader.
func (s *sought) Read(p []byte) (int, error) {
	if s.want < s.at || s.want > s.at+maxSkipped {
		s.enter()
	}
	if s.want < s.at {
		if err := s.again(); err != nil {
			return 0, s.fail(err)
		}
	}
	if s.in == nil {
		s.in = &verified{in: s.body}
	}
	if s.at < s.want {
		n, err := io.CopyN(io.Discard, s.in, s.want-s.at)
		if s.at += n; err != nil {
			return 0, s.fail(err)
		}
	}
	n, err := s.in.Read(p)
	s.at += int64(n)
	s.want = s.at
	if err != nil && !errors.Is(err, io.EOF) {
		err = s.fail(err)
	}
	return n, err
}

// enter opens the body at the wanted offset, where that is possible. Each byte from there is verified already.
func (s *sought) enter() {
	body := s.found.From(s.c.r.Context(), s.want)
	if body == nil {
		return
	}
	_ = s.body.Close() // only read
	s.body, s.in, s.at = body, body, s.want
}

func (s *sought) again() error {
	content, err := s.c.archive.Read(s.c.r.Context(), s.c.who, s.found.Capture)
	if err != nil {
		return err
	}
	_ = s.body.Close() // only read
	s.body, s.in, s.at = content.Body, nil, 0
	return nil
}

// fail remembers an error, because http.ServeContent does not report it. The client notices missing
// bytes by Content-Length.
func (s *sought) fail(err error) error {
	if s.failed == nil && !errors.Is(err, context.Canceled) {
		s.failed = err
		s.c.o.Problem(fmt.Errorf("%s: %w", s.found.URL, err))
	}
	panic(http.ErrAbortHandler)
}

// Close closes the body.
func (s *sought) Close() { _ = s.body.Close() } // only read

// coded reports whether a body has content codings to remove.
func coded(content *holdings.Content) bool {
	c := strings.ToLower(field(content.Header, "Content-Encoding"))
	return c != "" && c != "identity"
}
