package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"quire/internal/blockbuffer"
)

// Fetch reads a file that a record refers to, unchanged, with the patience and pace of Get.
// Credentials go only to the server of the base URL. Limit is the maximum size in bytes; -1 means
// the limit of the options. If the host failed before, the error may be ErrHostDown.
func (c *Client) Fetch(ctx context.Context, u *url.URL, limit int64) (*Answer, error) {
	if limit < 0 {
		limit = c.o.MaxBytes
	}
	attempts, err := c.breaker.attempts(u, c.o.Attempts)
	if err != nil {
		return nil, err
	}
	began, way := c.o.Now(), &trail{last: u}
	ctx = context.WithValue(ctx, trailKey{}, way)
	a, err := c.retry(ctx, attempts, func() (*Answer, error) {
		way.last = u
		return c.fetchOnce(ctx, u, limit)
	}, func(a *Answer) (time.Duration, bool, error) {
		if a.Status == http.StatusOK {
			return 0, false, nil
		}
		return c.judgeStatus(a)
	})
	if ctx.Err() == nil {
		c.breaker.finished(u, way, err, c.o.Now().Sub(began))
	}
	if err != nil && a != nil { // it broke off each time
		return nil, errors.Join(err, a.Close())
	}
	return a, err
}

func (c *Client) fetchOnce(ctx context.Context, u *url.URL, limit int64) (*Answer, error) {
	return c.once(ctx, func(ctx context.Context) (*http.Request, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
		if err != nil {
			return nil, err
		}
		c.present(req)
		req.Header.Set("Accept-Encoding", "identity") // the digests apply to uncoded content
		if u.Host == c.base.Host && u.Scheme == c.base.Scheme {
			c.authorize(req)
		}
		return req, nil
	}, func(w *responseTimer, a *Answer, resp *http.Response) error { return takePlain(w, a, resp, limit) })
}

// takePlain reads the body unchanged.
func takePlain(w *responseTimer, a *Answer, resp *http.Response, limit int64) error {
	counted := &counting{from: timedReader{resp.Body, w}}
	n, err := io.Copy(&a.body, io.LimitReader(counted, limit+1))
	a.Sent = counted.n
	if n > limit {
		return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	}
	if err == nil && resp.ContentLength >= 0 && counted.n < resp.ContentLength {
		err = &transient{fmt.Errorf("%w: %d of %d bytes arrived", ErrCut, counted.n, resp.ContentLength)}
	}
	return a.broke(err)
}

// Take transfers the bytes of the answer to the caller. The caller then closes the bytes and does
// not close the answer.
func (a *Answer) Take() *blockbuffer.Buffer {
	held := a.body
	a.body = blockbuffer.Buffer{}
	return &held
}
