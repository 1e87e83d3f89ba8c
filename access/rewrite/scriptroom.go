package rewrite

import (
	"context"
	"errors"
	"io"
	"time"
)

// room bounds the long scripts in memory at once, over all requests: MaxScript each, in UTF-16 twice that, and their
// marks. A script is in memory until it was sent, so slow clients could keep the others out. Therefore both the wait
// and the sending have an end.
type room chan struct{}

var inMemory = make(room, 16)

const (
	// maxWait bounds the wait for a place. Then a script stays as captured: most still work, and a browser asks for
	// no script a second time.
	maxWait = 5 * time.Second
	// maxSending is the time after which a script must leave a full room, although its client accepts data.
	maxSending = 2 * time.Minute
	// maxWrite is the longest piece that is written without a look at the clock, in bytes.
	maxWrite = 64 << 10
)

// enter waits for a place. entered is false if there was none in time; err is that of a client that has gone.
func (r room) enter(done <-chan struct{}) (entered bool, err error) {
	select {
	case r <- struct{}{}:
		return true, nil
	default:
	}
	late := time.NewTimer(maxWait)
	defer late.Stop()
	select {
	case r <- struct{}{}:
		return true, nil
	case <-done:
		return false, context.Canceled
	case <-late.C:
		return false, nil
	}
}

func (r room) leave() { <-r }

// limited returns a writer for a script that has a place.
func (r room) limited(w io.Writer) io.Writer { return &leaving{w, r, time.Now().Add(maxSending)} }

// leaving is a writer that ends when its script has had a place for too long, and no other place is free.
type leaving struct {
	to    io.Writer
	room  room
	until time.Time
}

var errSlow = errors.New("the client takes a long script too slowly, while others wait for memory")

// Write implements io.Writer.
func (l *leaving) Write(p []byte) (n int, err error) {
	for {
		if len(l.room) == cap(l.room) && time.Now().After(l.until) {
			return n, errSlow
		}
		m, err := l.to.Write(p[n:min(len(p), n+maxWrite)])
		if n += m; err != nil || n == len(p) {
			return n, err
		}
	}
}
