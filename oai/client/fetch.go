package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"quire/internal/making"
)

// Fetch brings a file that a record refers to, as it is served, with the same patience and at the same pace as Get. Credentials go to
// the server of the base URL only.
func (c *Client) Fetch(ctx context.Context, u *url.URL) (*Answer, error) {
	return c.again(ctx, func() (*Answer, error) { return c.fetchOnce(ctx, u) }, func(a *Answer) (time.Duration, bool, error) {
		if a.Status == http.StatusOK {
			return 0, false, nil
		}
		return c.judgeStatus(a)
	})
}

func (c *Client) fetchOnce(ctx context.Context, u *url.URL) (*Answer, error) {
	return c.once(ctx, func(ctx context.Context) (*http.Request, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
		if err != nil {
			return nil, err
		}
		c.present(req)
		req.Header.Set("Accept-Encoding", "identity") // the digests are of what is served plainly
		if u.Host == c.base.Host && u.Scheme == c.base.Scheme {
			c.authorize(req)
		}
		return req, nil
	}, c.takePlain)
}

// takePlain brings the body in as it is.
func (c *Client) takePlain(w *watching, a *Answer, resp *http.Response) error {
	counted := &counting{from: watched{resp.Body, w}}
	_, err := io.Copy(&a.body, counted)
	a.Sent = counted.n
	if err == nil && resp.ContentLength >= 0 && counted.n < resp.ContentLength {
		err = &transient{fmt.Errorf("%w: %d of %d bytes came", ErrCut, counted.n, resp.ContentLength)}
	}
	return a.broke(err)
}

// Take gives the bytes of the answer away: whoever takes them closes them, and not the answer.
func (a *Answer) Take() *making.Held {
	held := a.body
	a.body = making.Held{}
	return &held
}
