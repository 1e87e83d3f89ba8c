package thumbnail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"quire/access/search/extract"
	"quire/holdings"
	"quire/holdings/captures"
)

// Options configures thumbnails.
type Options struct {
	Problem func(error)   // called with errors of the machine, from any goroutine; may be nil
	Wait    time.Duration // for a thumbnail in the making; 0 means a second
}

// Thumbnails makes the thumbnails of a repository, one at a time, and keeps them. It is safe for
// concurrent use.
type Thumbnails struct {
	h       *holdings.Holdings
	options Options
	cache   *cache
	shots   *Shots

	ctx  context.Context
	stop context.CancelFunc
	all  sync.WaitGroup
	turn chan struct{} // held by the one that is being made

	mu    sync.Mutex
	under map[string]chan struct{} // by file name: closed when it is made
}

// maxWaiting limits the thumbnails that wait to be made. Requests for more get none, and may come again.
const maxWaiting = 64

// Open prepares the thumbnails below a folder, REPO/access.
func Open(dir string, h *holdings.Holdings, o Options) (*Thumbnails, error) {
	if o.Wait == 0 {
		o.Wait = time.Second
	}
	c, err := openCache(filepath.Join(dir, DirName), roomForThumbnails)
	if err != nil {
		return nil, fmt.Errorf("opening the folder of thumbnails: %w", err)
	}
	shots, err := OpenShots(dir, h)
	if err != nil {
		return nil, err
	}
	t := &Thumbnails{h: h, options: o, cache: c, shots: shots, turn: make(chan struct{}, 1),
		under: map[string]chan struct{}{}}
	t.ctx, t.stop = context.WithCancel(context.Background())
	return t, nil
}

// Close ends what is being made.
func (t *Thumbnails) Close() error {
	t.stop()
	t.all.Wait()
	return nil
}

// ErrLater reports that a thumbnail is being made.
var ErrLater = errors.New("the thumbnail is being made")

// Of returns the thumbnail of a capture that the reader may see. It is JPEG, or SVG ([IsDrawn]). The error is
// [ErrNone] if there is none for this reader, and [ErrLater] if it is not ready.
func (t *Thumbnails) Of(ctx context.Context, who holdings.Reader, packages []string, c *captures.Capture) ([]byte,
	error) {
	if c.Status != 0 && (c.Status < 200 || c.Status > 299) {
		return nil, ErrNone
	}
	switch extract.TypeOf(c.MIME, c.URL) {
	case "image":
		return t.picture(ctx, who, c, Picture)
	case "page":
		return t.page(ctx, who, packages, c)
	}
	return nil, ErrNone
}

// picture returns the thumbnail of a picture.
func (t *Thumbnails) picture(ctx context.Context, who holdings.Reader, c *captures.Capture, form Form) ([]byte, error) {
	content, err := t.kept(ctx, who, c, nameOf(c, string(form)), func(payload []byte, _ string) ([]byte, error) {
		return Shrink(payload, form)
	})
	if err == nil && (len(content) == 0 || bytes.Equal(content, givesNone)) {
		return nil, ErrNone
	}
	return content, err
}

// givesNone is the file of a payload that gives no thumbnail. The first program, which read neither BMP nor TIFF, kept
// an empty file. Payloads with such a file, or with gaveNone, are read once more. A later program that reads more
// formats changes this text.
var givesNone = []byte("no thumbnail, 3\n")

// gaveNone is that file of an earlier program, which read no SVG.
var gaveNone = []byte("no thumbnail, 2\n")

// kept returns a file of the cache, and has it made if there is none. A request waits for a short time.
func (t *Thumbnails) kept(ctx context.Context, who holdings.Reader, c *captures.Capture, name string,
	work func(payload []byte, contentType string) ([]byte, error)) ([]byte, error) {
	if place(c).SHA256 == "" {
		return nil, ErrNone // a name from no digest would be that of another payload, too
	}
	if c.Length > MaxBytes {
		return nil, ErrNone
	}
	content, known, err := t.cache.get(name)
	if known && len(content) > 0 && !bytes.Equal(content, gaveNone) || err != nil {
		return content, err
	}
	done := t.begin(who, c, name, work)
	if done == nil {
		return nil, ErrLater
	}
	timer := time.NewTimer(t.options.Wait)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		return nil, ErrLater
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	content, known, err = t.cache.get(name)
	if err == nil && !known {
		err = ErrNone // it could not be read, or is closed since
	}
	return content, err
}

// begin starts the making of a file, unless it is being made. It returns nil if too many wait.
func (t *Thumbnails) begin(who holdings.Reader, c *captures.Capture, name string,
	work func([]byte, string) ([]byte, error)) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if done := t.under[name]; done != nil {
		return done
	}
	if len(t.under) >= maxWaiting || t.ctx.Err() != nil {
		return nil
	}
	done := make(chan struct{})
	t.under[name] = done
	own := *c
	t.all.Go(func() {
		defer func() {
			t.mu.Lock()
			delete(t.under, name)
			t.mu.Unlock()
			close(done)
		}()
		select {
		case t.turn <- struct{}{}:
			defer func() { <-t.turn }()
		case <-t.ctx.Done():
			return
		}
		if err := t.make(who, &own, name, work); err != nil && t.ctx.Err() == nil && t.options.Problem != nil {
			t.options.Problem(fmt.Errorf("the thumbnail of %s of %s, in package %s: %w", own.URL, own.Timestamp,
				own.Package, err))
		}
	})
	return done
}

// make reads a payload with the rights of the reader, and keeps the result. If the payload gives none,
// it keeps [givesNone]. A payload that is closed meanwhile, or could not be read whole, leaves nothing.
func (t *Thumbnails) make(who holdings.Reader, c *captures.Capture, name string,
	work func([]byte, string) ([]byte, error)) error {
	payload, contentType, err := t.read(who, c)
	var denied *holdings.DeniedError
	if errors.As(err, &denied) || errors.Is(err, captures.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	content, err := attempt(func() ([]byte, error) { return work(payload, contentType) })
	var failed *panicError
	switch {
	case errors.As(err, &failed): // it would fail again: report it once
		if t.options.Problem != nil {
			t.options.Problem(fmt.Errorf("%s of %s, in package %s, gets no thumbnail: %w", c.URL, c.Timestamp,
				c.Package, err))
		}
		content = givesNone
	case errors.Is(err, ErrNone):
		content = givesNone
	case err != nil:
		return err
	}
	if err := t.cache.put(name, content); err != nil {
		return err
	}
	// A withdrawal first closes the content, then clears the cache. So it finds this file, or this
	// question finds the withdrawal.
	if still, err := t.h.Read(t.ctx, who, c); err != nil {
		return errors.Join(t.cache.remove(name), ignored(err))
	} else { //nolint:revive // the body is open
		return still.Body.Close()
	}
}

// panicError is the panic of a reader of archived bytes.
type panicError struct{ cause any }

// Error implements error.
func (p *panicError) Error() string {
	return fmt.Sprintf("reading it failed: %v; this is a fault of Quire", p.cause)
}

// attempt reads archived bytes, which must not end the server.
func attempt(work func() ([]byte, error)) (content []byte, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			content, err = nil, &panicError{broken}
		}
	}()
	return work()
}

// ignored returns an error, unless it means that content is closed.
func ignored(err error) error {
	var denied *holdings.DeniedError
	if errors.As(err, &denied) || errors.Is(err, captures.ErrNotFound) {
		return nil
	}
	return err
}

// read reads the payload of a capture.
func (t *Thumbnails) read(who holdings.Reader, c *captures.Capture) (payload []byte, contentType string, err error) {
	content, err := t.h.Read(t.ctx, who, c)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = content.Body.Close() }() // only read
	contentType = c.MIME
	for _, f := range content.Header {
		if strings.EqualFold(f.Name, "content-type") {
			contentType = f.Value
		}
	}
	payload, err = attempt(func() ([]byte, error) { return Payload(content) })
	return payload, contentType, err
}

// Payload reads a content and decodes it, up to MaxBytes and one. It first reads all bytes as sent, because
// only their end verifies the digest: a decoder may end before. Of damaged bytes it returns only an error.
func Payload(content *holdings.Content) ([]byte, error) {
	sent, err := io.ReadAll(io.LimitReader(content.Body, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(sent) > MaxBytes {
		return nil, fmt.Errorf("more than %d bytes: too long for a thumbnail", MaxBytes)
	}
	whole := *content
	whole.Body = io.NopCloser(bytes.NewReader(sent))
	decoded := holdings.Decoded(&whole)
	defer func() { _ = whole.Body.Close() }()                     // ends the decoder
	payload, _ := io.ReadAll(io.LimitReader(decoded, MaxBytes+1)) // intact, but perhaps sent in part
	return payload, nil
}
