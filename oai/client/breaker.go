package client

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"
)

// ErrHostDown is the error of a reference that was not tried, because its host failed before.
var ErrHostDown = errors.New("its host was not asked")

// breaker bounds the time that references to dead hosts cost. Each reference is patient by itself: it is tried
// several times. A thousand of them to dead hosts would take hours.
//
// A host that never answered is left alone after one reference, another one after three in a row. After a minute one
// request tries it again; each failure doubles the pause. If much time was lost on hosts that never answered, a new
// host gets one request, and in the end none.
type breaker struct {
	now func() time.Time

	mu    sync.Mutex
	hosts map[string]*hostHealth
	lost  time.Duration // on hosts that never answered
}

// hostHealth is the experience with one host.
type hostHealth struct {
	answered bool // at least once
	failed   int  // references in a row
	until    time.Time
	pause    time.Duration
}

const (
	mostFailed  = 3 // references in a row, for a host that has answered
	firstPause  = time.Minute
	longPause   = time.Hour
	lostBrief   = 10 * time.Minute // after these, a new host gets one request
	lostNothing = 20 * time.Minute // after these, it gets none
	mostHosts   = 100_000          // hosts remembered
)

// attempts returns how many requests a reference to the URL may cost, of the usual number.
func (b *breaker) attempts(u *url.URL, usual int) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := b.host(u)
	switch {
	case b.now().Before(h.until):
		return 0, fmt.Errorf("%w: %d references to %s failed, so the host is left alone until %s", ErrHostDown,
			h.failed, hostPort(u), h.until.UTC().Format("15:04:05 UTC"))
	case h.pause > 0:
		return 1, nil
	case h.answered || b.lost < lostBrief:
		return usual, nil
	case b.lost < lostNothing:
		return 1, nil
	}
	return 0, fmt.Errorf("%w: %s were lost on hosts that never answered, so no unknown host is asked any more",
		ErrHostDown, b.lost.Round(time.Second))
}

// ended takes the result of a reference, and the time that it took.
func (b *breaker) ended(u *url.URL, err error, took time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := b.host(u)
	var again *transient
	var busy *BusyError
	var refused *RefusedError
	switch {
	case err == nil, errors.As(err, &refused), errors.Is(err, ErrTooLarge):
		if !h.answered {
			b.lost /= 2 // the references are not all dead
		}
		*h = hostHealth{answered: true}
	case errors.Is(err, ErrCut): // it answers, and breaks off each time
		h.answered = true
		h.fail(b.now())
	case errors.As(err, &busy):
		h.answered = h.answered || busy.Status != 0
		h.fail(b.now())
		if busy.Until.After(h.until) {
			h.until = busy.Until
		}
	case errors.As(err, &again):
		h.fail(b.now())
	}
	if !h.answered {
		b.lost += took
	}
}

// fail counts a failure, and begins or doubles the pause.
func (h *hostHealth) fail(now time.Time) {
	h.failed++
	if h.answered && h.failed < mostFailed {
		return
	}
	h.pause = min(max(2*h.pause, firstPause), longPause)
	h.until = now.Add(h.pause)
}

// host returns the experience with the host of a URL. With too many hosts, the experience with all of them is
// forgotten, and the lost time stays.
func (b *breaker) host(u *url.URL) *hostHealth {
	name := strings.ToLower(hostPort(u))
	h := b.hosts[name]
	if h == nil {
		if len(b.hosts) >= mostHosts {
			clear(b.hosts)
		}
		h = &hostHealth{}
		b.hosts[name] = h
	}
	return h
}

// trail is the way of a reference through redirects. The host at its end counts, not the one that redirects to it.
type trail struct{ last *url.URL }

// trailKey is the key of a *trail in the context of a reference.
type trailKey struct{}

// finished takes the result of a reference at the end of its way.
func (b *breaker) finished(u *url.URL, way *trail, err error, took time.Duration) {
	if hostPort(way.last) != hostPort(u) {
		b.ended(u, nil, 0) // it redirected
	}
	if !errors.Is(err, ErrHostDown) {
		b.ended(way.last, err, took)
	}
}

// redirected notes a redirect of a reference, and refuses one to a host that is left alone.
func (b *breaker) redirected(way *trail, to *url.URL) error {
	if hostPort(to) != hostPort(way.last) {
		if _, err := b.attempts(to, 1); err != nil {
			return err
		}
	}
	way.last = to
	return nil
}
