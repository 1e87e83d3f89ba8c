package solr

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Limits of one request.
const (
	maxAnswer = 256 << 20
	maxTime   = 2 * time.Minute
	maxAsking = 20 * time.Second // a reader waits for it
)

// Client speaks to one collection. It is safe for concurrent use.
type Client struct {
	at             string // URL of the collection
	user, password string
	http           *http.Client

	// Patience is the time for which writing is tried again while the server is away.
	Patience time.Duration
}

// New returns the client of a collection of a server, such as http://solr.example:8983/solr. Without a
// user, requests have no password.
func New(server, collection, user, password string) *Client {
	// Never through a proxy of the environment, and never to another host.
	transport := &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute,
		ResponseHeaderTimeout: maxTime}
	return &Client{at: strings.TrimRight(server, "/") + "/" + url.PathEscape(collection), user: user,
		password: password, http: &http.Client{Transport: transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Select sends a request of Solr's JSON interface, and decodes the answer.
func (c *Client) Select(ctx context.Context, request, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, maxAsking)
	defer cancel()
	return c.post(ctx, "/select", request, answer)
}

// Add adds documents, or replaces those with the same id. Searches see them after [Client.Commit].
func (c *Client) Add(ctx context.Context, documents []map[string]any) error {
	if len(documents) == 0 {
		return nil
	}
	return c.write(ctx, documents)
}

// Delete deletes the documents that match a query.
func (c *Client) Delete(ctx context.Context, query string) error {
	return c.write(ctx, map[string]any{"delete": map[string]any{"query": query}})
}

// Commit makes additions and deletions safe, and visible for searches.
func (c *Client) Commit(ctx context.Context) error {
	return c.write(ctx, map[string]any{"commit": map[string]any{"waitSearcher": true}})
}

// Erase commits, and writes the segments anew that have deleted documents: their texts leave the disk.
func (c *Client) Erase(ctx context.Context) error {
	return c.write(ctx, map[string]any{"commit": map[string]any{"waitSearcher": true, "expungeDeletes": true}})
}

// Error is an error that Solr states.
type Error struct {
	Status int
	Text   string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("Solr answers %d: %s", e.Status, e.Text) }

// passing reports whether a later try may have success.
func passing(err error) bool {
	var stated *Error
	if errors.As(err, &stated) {
		return stated.Status >= 500 || stated.Status == http.StatusTooManyRequests
	}
	return true // no answer
}

// write sends a change, and tries again for a while if the server is away. Each change may be sent twice.
func (c *Client) write(ctx context.Context, change any) error {
	const first, longest = 250 * time.Millisecond, 10 * time.Second
	begin := time.Now()
	for wait := first; ; wait = min(2*wait, longest) {
		once, cancel := context.WithTimeout(ctx, maxTime)
		err := c.post(once, "/update", change, nil)
		cancel()
		if err == nil || ctx.Err() != nil || !passing(err) || time.Since(begin)+wait > c.Patience {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

func (c *Client) post(ctx context.Context, path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.at+path+"?wt=json", bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	if c.user != "" {
		r.SetBasicAuth(c.user, c.password)
	}
	got, err := c.http.Do(r)
	if err != nil {
		return fmt.Errorf("asking Solr: %w", err)
	}
	defer func() { _ = got.Body.Close() }() // only read
	in := io.LimitReader(got.Body, maxAnswer)
	if got.StatusCode != http.StatusOK {
		return stated(got.StatusCode, in)
	}
	if answer == nil {
		_, err = io.Copy(io.Discard, in)
	} else {
		err = json.NewDecoder(in).Decode(answer)
	}
	if err != nil {
		return fmt.Errorf("reading the answer of Solr: %w", err)
	}
	return nil
}

// stated returns the error in an answer.
func stated(status int, in io.Reader) error {
	const most = 4 << 10
	text, _ := io.ReadAll(io.LimitReader(in, most)) // the status alone is an error, too
	var answer struct {
		Error struct{ Msg string }
	}
	e := &Error{Status: status, Text: "it gives no reason"}
	if json.Unmarshal(text, &answer) == nil && answer.Error.Msg != "" {
		e.Text = answer.Error.Msg
	}
	return e
}
