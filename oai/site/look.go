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

// state is what a look at a resource found.
type state int

const (
	unknown state = iota // the handler did not answer, or says that it cannot now: nothing changes
	live                 // 200
	gone                 // any other answer
)

// look is what was seen of one resource.
type look struct {
	url      string
	state    state
	reason   string // why it is gone, or not known
	mime     string
	modified time.Time // Last-Modified; zero when the server does not tell
	etag     string
	size     int64 // -1 when it is not known
	sha256   []byte
	evidence string
	checked  int64
}

// maxHashed is how much of a body is read of which the server tells neither time nor tag, to see
// whether it changed; more than that counts as unchanged while its beginning is.
const maxHashed = 64 << 20

// transient are answers that say nothing of the resource, but of the server's day.
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
	if t, err := http.ParseTime(a.head.Get("Last-Modified")); err == nil && t.Year() >= 1970 {
		l.modified = t.UTC()
	}
	if a.declared >= 0 {
		l.size = a.declared
	}
	return l
}

// mediaType gives a Content-Type without its parameters, as far as it is one.
func mediaType(s string) string {
	t, _, err := mime.ParseMediaType(s)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || strings.Count(t, "/") != 1 || len(t) > 255 {
		return "application/octet-stream"
	}
	return t
}

// look asks for one resource. The bytes are read when the head does not tell whether they changed,
// or links is there to read them.
func (s *Site) look(ctx context.Context, url string, links func(look, io.Reader) error) (look, error) {
	if links == nil {
		l, told, err := s.head(ctx, url)
		if err != nil || told {
			return l, err
		}
	}
	return s.read(ctx, url, links)
}

// head asks with HEAD. That is believed of what it finds; not where it finds nothing, since some
// scripts know no HEAD.
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

// read asks with GET.
func (s *Site) read(ctx context.Context, url string, links func(look, io.Reader) error) (look, error) {
	a, err := s.asker.ask(ctx, http.MethodGet, url)
	if err != nil {
		return s.failed(ctx, url, err), ctx.Err()
	}
	defer func() { _ = a.Close() }() // never fails
	l := seen(url, a, s.index.now())
	linking := links != nil && (isHTML(l.mime) || isCSS(l.mime))
	if l.state != live || !linking && (!l.modified.IsZero() || l.etag != "") {
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

// failed says of a resource that nothing is known, and why.
func (s *Site) failed(ctx context.Context, url string, err error) look {
	if ctx.Err() == nil {
		s.problem(fmt.Sprintf("%s: %v", url, err))
	}
	return look{url: url, reason: err.Error(), size: -1}
}

// changed says whether a resource is not what it was. Bytes that are the same are the same whatever
// the server says of their time; where nobody read them, the server is believed.
func (l *look) changed(old *row) bool {
	switch {
	case l.mime != old.mime:
		return true
	case l.sha256 != nil && old.sha256 != nil:
		return !bytes.Equal(l.sha256, old.sha256)
	case !l.modified.IsZero() || old.modified.Valid:
		return l.modified.IsZero() || !old.modified.Valid || l.modified.Unix() != old.modified.Int64 || l.size >= 0 &&
			old.size >= 0 && l.size != old.size
	case l.etag != "" && old.etag != "":
		return l.etag != old.etag
	}
	return l.size >= 0 && old.size >= 0 && l.size != old.size
}
