package screenshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"quire/access/address"
	"quire/access/replay"
	"quire/access/screenshot/chromium"
	"quire/access/thumbnail"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/sandbox"
)

// Browser shows a page and returns its picture: [chromium.Browser].
type Browser interface {
	Shot(ctx context.Context, url string, answers chromium.Answers) (picture []byte, err error)
}

// Maker makes thumbnails of the pages of a repository. It is for one goroutine.
type Maker struct {
	h       *holdings.Holdings
	browser Browser
	shots   *thumbnail.Shots
	now     func() time.Time
}

// New returns a maker that keeps its thumbnails below a folder, REPO/access.
func New(dir string, h *holdings.Holdings, b Browser) (*Maker, error) {
	shots, err := thumbnail.OpenShots(dir, h)
	if err != nil {
		return nil, err
	}
	return &Maker{h, b, shots, time.Now}, nil
}

// Has reports whether a page has its thumbnail, or the browser could not show it and another attempt is not due.
func (m *Maker) Has(page *captures.Capture) bool { return m.shots.Has(page, m.now()) }

// retryAfter is the time after which a page is tried again at which the browser failed. A limit of time or memory is
// reached by a page that is too large, but also by a good page on a busy machine, and the two look the same.
const retryAfter = 7 * 24 * time.Hour

// NoShotError reports that a page has no thumbnail, and why. The cause is the page, or the limits of the browser on
// this machine.
type NoShotError struct{ Reason string }

// Error implements error.
func (e *NoShotError) Error() string { return e.Reason }

// errClosed is the reason for a page whose content is not open, or no longer.
var errClosed = &NoShotError{"it is not open to the public"}

// Make shows a page to the public, and keeps its thumbnail. If the page cannot be shown, it keeps that, and the error
// is a *[NoShotError]. It keeps a failure of the browser for [retryAfter] only.
func (m *Maker) Make(ctx context.Context, page *captures.Capture) error {
	if !m.h.Judge(holdings.Reader{Class: holdings.Public}, page).Allowed {
		return errClosed
	}
	s := newSource(m.h, page.Timestamp)
	picture, err := m.browser.Shot(ctx, page.URL, s.answer)
	var failed *sandbox.Failure
	var none *chromium.NoPageError
	var why *NoShotError
	var until time.Time
	switch {
	case errors.As(err, &failed):
		until = m.now().Add(retryAfter)
		why = &NoShotError{failed.Error()}
	case errors.As(err, &none):
		why = &NoShotError{none.Error()}
	case err != nil:
		return err
	case !s.showed(page):
		why = &NoShotError{"the browser was shown another capture of this second"}
	default:
		if picture, err = thumbnail.Shrink(picture, thumbnail.Page); err != nil {
			why = &NoShotError{"the picture of the browser is damaged: " + err.Error()}
		}
	}
	if why != nil {
		picture = nil
	}
	kept, err := m.shots.Put(ctx, page, s.parts, picture, until)
	switch {
	case err != nil:
		return err
	case why != nil:
		return why
	case !kept:
		return errClosed
	}
	return nil
}

// source answers the requests of a page from the replay of the public, and notes each capture that it reads.
type source struct {
	*holdings.Holdings
	replay *replay.Handler
	at     string

	mu    sync.Mutex
	parts []captures.Capture
}

func newSource(h *holdings.Holdings, at string) *source {
	s := &source{Holdings: h, at: at}
	s.replay = replay.New(s, replay.Options{Base: base})
	return s
}

// base is the URL of the replay, which no request reaches.
const base = "http://replay.invalid"

// Read implements [replay.Archive].
func (s *source) Read(ctx context.Context, who holdings.Reader, c *captures.Capture) (*holdings.Content, error) {
	content, err := s.Holdings.Read(ctx, who, c)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !slices.ContainsFunc(s.parts, func(p captures.Capture) bool { return same(&p, c) }) {
			s.parts = append(s.parts, *c)
		}
	}
	return content, err
}

// same reports whether two captures are one.
func same(a, b *captures.Capture) bool {
	return a.Package == b.Package && a.Record.Container == b.Record.Container && a.Record.Order == b.Record.Order
}

// showed reports whether a capture was read.
func (s *source) showed(c *captures.Capture) bool {
	return slices.ContainsFunc(s.parts, func(p captures.Capture) bool { return same(&p, c) })
}

// answer returns the answer of the replay: as captured, without content coding, with redirects.
func (s *source) answer(ctx context.Context, q chromium.Request) (*chromium.Response, error) {
	asked, _, _ := strings.Cut(q.URL, "#")
	if !strings.HasPrefix(asked, "http:") && !strings.HasPrefix(asked, "https:") {
		return nil, nil
	}
	to := address.Replay(base).Capture(address.In{Collection: address.All}, s.at, address.Redirected, asked)
	r, err := http.NewRequestWithContext(ctx, q.Method, base, bytes.NewReader(q.Body))
	if err != nil {
		return nil, nil //nolint:nilerr // a method of which there are no captures
	}
	if r.RequestURI = strings.TrimPrefix(to, base); q.ContentType != "" {
		r.Header.Set("Content-Type", q.ContentType)
	}
	w := &answer{header: http.Header{}}
	if err := serve(s.replay, w, r); err != nil {
		return nil, nil //nolint:nilerr // damaged: as if it were not there
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if w.header.Get("Memento-Datetime") == "" || w.long { // a refusal of the replay
		return nil, nil
	}
	a := &chromium.Response{Status: w.status, ContentType: w.header.Get("Content-Type"), Body: w.body.Bytes()}
	if target := w.header.Get("Location"); target != "" {
		if a.Location = archived(target); a.Location == "" {
			return nil, nil
		}
	}
	return a, nil
}

// archived returns the archived URL of an address of the replay; "" if there is none.
func archived(target string) string {
	u, fragment, _ := strings.Cut(target, "#")
	if q, ok := address.ParseReplay(strings.TrimPrefix(u, base)); ok && q.URL != "" {
		if parsed, err := url.Parse(q.URL); err == nil && parsed.IsAbs() {
			if fragment != "" {
				return q.URL + "#" + fragment
			}
			return q.URL
		}
	}
	return ""
}

// serve calls the replay, which panics to cut off an answer with damaged bytes.
func serve(h http.Handler, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("the answer was cut off: %v", broken)
		}
	}()
	h.ServeHTTP(w, r)
	return nil
}

// maxBody limits the bytes of one answer.
const maxBody = 32 << 20

// answer collects an answer.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
	long   bool
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.body.Len()+len(p) > maxBody {
		a.long = true
		return 0, io.ErrShortWrite
	}
	return a.body.Write(p)
}
