package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// state is the result of a look at a resource.
type state int

const (
	unknown state = iota // no answer, or a temporary error: nothing changes
	live                 // 200
	gone                 // any other answer
)

// look is the observed state of one resource.
type look struct {
	url      string
	state    state
	reason   string // why it is gone or unknown
	mime     string
	modified time.Time // Last-Modified; zero if missing
	etag     string
	size     int64 // -1 if unknown
	sha256   []byte
	evidence string
	checked  int64
	robots   string // values of X-Robots-Tag, a line each
	doubt    bool   // its bytes may have changed, with the same size and time
}

// maxHashed is the maximum number of bytes that are read to detect a change if the server sends
// neither a modification time nor an ETag. A longer body is treated as unchanged if its first bytes
// are unchanged.
const maxHashed = 64 << 20

// transient reports whether a status is a temporary state of the server, unrelated to the resource.
func transient(status int) bool {
	return status >= 500 && status != http.StatusNotImplemented && status != http.StatusHTTPVersionNotSupported ||
		status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status == http.StatusTooEarly
}

// seen reads the head of an answer.
func seen(url string, a *answer, now time.Time) look {
	l := look{url: url, size: -1, checked: now.Unix()}
	switch {
	case a.status == http.StatusOK:
		l.state = live
	case transient(a.status):
		l.state = unknown
	default:
		l.state = gone
	}
	if l.state != live {
		l.reason = strings.TrimSpace(strconv.Itoa(a.status) + " " + http.StatusText(a.status))
		return l
	}
	l.mime = mediaType(a.head.Get("Content-Type"))
	l.etag = a.head.Get("ETag")
	l.robots = strings.Join(a.head.Values("X-Robots-Tag"), "\n")
	if t, err := http.ParseTime(a.head.Get("Last-Modified")); err == nil && t.Year() >= 1970 {
		l.modified = t.UTC()
	}
	if a.declared >= 0 {
		l.size = a.declared
	}
	return l
}

// mediaType returns the valid part of a Content-Type, without parameters.
func mediaType(s string) string {
	t, _, err := mime.ParseMediaType(s)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || strings.Count(t, "/") != 1 || len(t) > 255 {
		return "application/octet-stream"
	}
	return t
}

// look requests one resource. It reads the bytes if the head does not show whether they changed, or
// if links is set, or if whole is.
func (s *Site) look(ctx context.Context, url string, links func(look, io.Reader) error, whole bool) (look, error) {
	if links == nil && !whole {
		l, told, err := s.head(ctx, url)
		if err != nil || told {
			return l, err
		}
	}
	return s.read(ctx, url, links, whole)
}

// head sends HEAD. It accepts a positive answer; a negative one may come from a script without
// support for HEAD.
func (s *Site) head(ctx context.Context, url string) (l look, told bool, err error) {
	a, err := s.asker.ask(ctx, http.MethodHead, url)
	if err != nil {
		return s.failed(ctx, url, err), ctx.Err() == nil, ctx.Err()
	}
	defer func() { _ = a.Close() }() // never fails
	l = seen(url, a, s.index.now())
	typed := a.head.Get("Content-Type") != ""
	return l, l.state == live && typed && (!l.modified.IsZero() || l.etag != ""), nil
}

// read sends GET.
func (s *Site) read(ctx context.Context, url string, links func(look, io.Reader) error, whole bool) (look, error) {
	a, err := s.asker.ask(ctx, http.MethodGet, url)
	if err != nil {
		return s.failed(ctx, url, err), ctx.Err()
	}
	defer func() { _ = a.Close() }() // never fails
	l := seen(url, a, s.index.now())
	linking := links != nil && (isHTML(l.mime) || isCSS(l.mime))
	if l.state != live || !linking && !whole && (!l.modified.IsZero() || l.etag != "") {
		return l, nil
	}
	digest := sha256.New()
	body := io.TeeReader(io.LimitReader(a, maxHashed), digest)
	if linking {
		if err := links(l, body); err != nil {
			return l, err
		}
	}
	if _, err = io.Copy(io.Discard, body); err != nil {
		return s.failed(ctx, url, err), ctx.Err()
	}
	l.sha256 = digest.Sum(nil)
	if a.read < maxHashed {
		l.size = a.read
	}
	return l, nil
}

// failed returns the look of a failed request, with the reason.
func (s *Site) failed(ctx context.Context, url string, err error) look {
	if ctx.Err() == nil {
		s.problem(fmt.Sprintf("%s: %v", url, err))
	}
	return look{url: url, reason: err.Error(), size: -1}
}

// changed reports whether a resource has changed. Equal bytes mean no change, whatever the server's
// time. If it is in doubt whether they changed, they did. Otherwise the server's statement decides.
func (l *look) changed(old *row) bool {
	switch {
	case l.mime != old.mime:
		return true
	case l.sha256 != nil && old.sha256 != nil:
		return !bytes.Equal(l.sha256, old.sha256)
	case l.doubt: // no digest of before shows that the bytes are the same
		return true
	case !l.modified.IsZero() || old.modified.Valid:
		return l.modified.IsZero() || !old.modified.Valid || l.modified.Unix() != old.modified.Int64 || l.size >= 0 &&
			old.size >= 0 && l.size != old.size
	case l.etag != "" && old.etag != "":
		return l.etag != old.etag
	}
	return l.size >= 0 && old.size >= 0 && l.size != old.size
}
