package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"quire/model"
)

// transient is an error that a retry may avoid.
type transient struct{ error }

func (t *transient) Unwrap() error { return t.error }

// RefusedError is an HTTP response that is not an OAI-PMH answer. A retry would not change it.
type RefusedError struct {
	URL    string
	Status int
	Text   string // start of the answer
}

// Error names the URL, the status, and the option that may help.
func (e *RefusedError) Error() string {
	why := ""
	switch e.Status {
	case http.StatusUnauthorized:
		why = ": it needs authentication; set a user with --user and --password-file, or a token with " +
			"--token-file"
	case http.StatusForbidden:
		why = ": it has no access agreement with this harvester, from this network or at this hour"
	case http.StatusNotFound, http.StatusGone:
		why = ": there is no OAI-PMH server at this URL"
	}
	if e.Text != "" {
		why += fmt.Sprintf(" (answer: %q)", e.Text)
	}
	return fmt.Sprintf("%s answers with status %d %s%s", e.URL, e.Status, http.StatusText(e.Status), why)
}

// BusyError means that the server requires a longer wait than the options allow.
type BusyError struct {
	Status int
	Until  time.Time // time for a retry; zero if the server states none
}

// Error states when the server may be asked again.
func (e *BusyError) Error() string {
	when := "later"
	if !e.Until.IsZero() {
		when = "after " + e.Until.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	return fmt.Sprintf("the server is busy (status %d): call again %s; the work so far is kept", e.Status, when)
}

// Get repeats a request until it receives a complete OAI-PMH answer. It waits as long as a busy
// server demands, and retries a failed or interrupted answer after a while. If every answer is
// incomplete, it returns the last one with the error ErrCut.
func (c *Client) Get(ctx context.Context, args url.Values) (*Answer, error) {
	return c.retry(ctx, c.o.Attempts, func() (*Answer, error) { return c.Once(ctx, args) }, c.judge)
}

// retry repeats a request until the answer is acceptable, or so many attempts have failed.
func (c *Client) retry(ctx context.Context, attempts int, once func() (*Answer, error),
	judge func(*Answer) (time.Duration, bool, error)) (*Answer, error) {
	var waited time.Duration
	var tried int
	for {
		a, err := once()
		var wait time.Duration
		var asked bool // the server requested the wait
		if err == nil {
			wait, asked, err = judge(a)
		}
		if err == nil {
			return a, nil
		}
		var again *transient
		if !c.met.Load() && errors.Is(err, syscall.ECONNREFUSED) { // the server never answered
			return nil, closing(a, err)
		}
		if ctx.Err() != nil || !errors.As(err, &again) {
			return nil, closing(a, err)
		}
		if tried++; !asked {
			if tried >= attempts {
				if a != nil && errors.Is(err, ErrCut) {
					return a, again.error
				}
				return nil, closing(a, fmt.Errorf("%d attempts: %w", tried, again))
			}
			wait = min(time.Second<<min(tried-1, 6), time.Minute)
		}
		c.o.Tell.find(CodeUnavailable, model.Info, 0, "", fmt.Sprintf("%v; retried after %s", again.error, wait))
		if waited += wait; waited > c.o.MaxWait || tried > maxAttempts {
			busy := &BusyError{Until: time.Now().Add(wait)}
			if a != nil {
				busy.Status = a.Status
			}
			return nil, closing(a, busy)
		}
		if err := closing(a, c.o.Sleep(ctx, wait)); err != nil {
			return nil, err
		}
	}
}

// maxAttempts is the maximum number of attempts if the server states a time for each retry.
const maxAttempts = 1000

func closing(a *Answer, err error) error {
	if a == nil {
		return err
	}
	return errors.Join(err, a.Close())
}

// judge reports whether an answer is acceptable, and otherwise when to retry.
func (c *Client) judge(a *Answer) (wait time.Duration, asked bool, err error) {
	switch wrong := a.complete(); {
	case a.Status == http.StatusOK:
		return 0, false, wrong
	case wrong == nil && a.Status != http.StatusServiceUnavailable && a.Status != http.StatusTooManyRequests:
		return 0, false, nil // some send protocol errors with another status
	}
	return c.judgeStatus(a)
}

// judgeStatus decides on a retry after an error status.
func (c *Client) judgeStatus(a *Answer) (wait time.Duration, asked bool, err error) {
	switch s := a.Status; {
	case s == http.StatusServiceUnavailable || s == http.StatusTooManyRequests:
		wait, asked = retryAfter(a.Header.Get("Retry-After"), time.Now())
		return wait, asked, &transient{fmt.Errorf("the server is busy (status %d)", s)}
	case s == http.StatusRequestTimeout, s == http.StatusTooEarly, s >= 500 && s != http.StatusNotImplemented &&
		s != http.StatusHTTPVersionNotSupported:
		return 0, false, &transient{fmt.Errorf("the server failed (status %d)%s", s, a.quoted())}
	}
	return 0, false, &RefusedError{URL: strings.SplitN(a.URL, "?", 2)[0], Status: a.Status, Text: a.begins()}
}

// retryAfter parses a Retry-After (RFC 9110, 10.2.3), in seconds or as a date.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0, false
	}
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		if n < 0 {
			return 0, false
		}
		return time.Duration(min(n, 1<<32)) * time.Second, true
	}
	if t, err := http.ParseTime(value); err == nil {
		return max(0, t.Sub(now)).Round(time.Second) + time.Second, true
	}
	return 0, false
}

// tail is the number of bytes searched at the end of an answer. Only a notice of the server's
// program may follow its last tag.
const tail = 8 << 10

// complete checks for a complete OAI-PMH answer. An incomplete one may be a temporary failure.
func (a *Answer) complete() error {
	if a.Size() == 0 {
		return &transient{fmt.Errorf("%w: it is empty", ErrCut)}
	}
	r := &reading{Answer: a, scan: newScanner(&a.body, a.Size()), response: &Response{}}
	r.Answer = &Answer{URL: a.URL, Header: a.Header, body: a.body} // without findings: it is read again later
	if err := r.root(); err != nil {
		return &transient{err}
	}
	from := max(0, a.Size()-tail)
	b := make([]byte, a.Size()-from)
	if _, err := a.body.ReadAt(b, from); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if i := bytes.LastIndex(b, []byte("</"+r.rootName)); i >= 0 && bytes.IndexByte(b[i:], '>') > 0 {
		return nil
	}
	return &transient{fmt.Errorf("%w: %d bytes came, and no </%s>", ErrCut, a.Size(), r.rootName)}
}

// begins returns the start of an answer, for people.
func (a *Answer) begins() string {
	b := make([]byte, min(a.Size(), 200))
	_, _ = a.body.ReadAt(b, 0) // an unreadable start is not quoted
	return string(bytes.ToValidUTF8(bytes.Join(bytes.Fields(b), []byte{' '}), []byte("?")))
}

func (a *Answer) quoted() string {
	if a.Size() == 0 {
		return ""
	}
	return fmt.Sprintf(": the answer begins with %q", a.begins())
}
