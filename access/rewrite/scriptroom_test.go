package rewrite

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var longText = "location.host;" + strings.Repeat(" ", freely)

// full returns a room without a free place.
func full() room {
	r := make(room, 2)
	for range cap(r) {
		r <- struct{}{}
	}
	return r
}

// TestLongScriptsWait: long scripts wait for memory until others have ended, or the client has gone; short ones do not
// wait.
func TestLongScriptsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long, gone := full(), make(chan struct{})
		close(gone)
		rw := &Rewriter{Done: gone, Unmarked: func() { t.Error("the client has gone, but gets the script unmarked") }}
		var out bytes.Buffer
		if err := rw.scriptIn(long, &out, strings.NewReader(longText)); err == nil || out.Len() > 0 {
			t.Errorf("a long script did not wait: %v", err)
		}
		if err := rw.scriptIn(long, &out, strings.NewReader("location.host")); err != nil || out.Len() == 0 {
			t.Errorf("a short script waits: %v", err)
		}
		out.Reset()
		rw.Done = nil
		go func() {
			time.Sleep(maxWait - time.Second)
			long.leave()
		}()
		err := rw.scriptIn(long, &out, strings.NewReader(longText))
		if err != nil || !strings.Contains(out.String(), "quire$location") {
			t.Errorf("%v, %d bytes", err, out.Len())
		}
		broken := io.MultiReader(strings.NewReader(longText), errorReader{})
		if err := rw.scriptIn(long, io.Discard, broken); !errors.Is(err, io.ErrClosedPipe) || len(long) != 1 {
			t.Errorf("%v, %d places are taken", err, len(long))
		}
	})
}

// TestLongScriptsWaitNotForEver: a script without a place in time is sent as captured, and its caller learns it before
// the first byte.
func TestLongScriptsWaitNotForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := full()
		var out bytes.Buffer
		at, begun, learnt := -1, time.Now(), 0
		rw := &Rewriter{Unmarked: func() { at, learnt = out.Len(), learnt+1 }}
		err := rw.scriptIn(long, &out, strings.NewReader(longText+"top"))
		if err != nil || out.String() != longText+"top" || at != 0 || learnt != 1 || time.Since(begun) != maxWait {
			t.Errorf("%v, %d bytes, after %v; %d calls, at %d", err, out.Len(), time.Since(begun), learnt, at)
		}
		if len(long) != cap(long) {
			t.Errorf("%d places are taken", len(long))
		}
	})
}

// slow accepts a piece each minute.
type slow struct{ n int }

func (s *slow) Write(p []byte) (int, error) {
	time.Sleep(time.Minute)
	s.n += len(p)
	return len(p), nil
}

// TestSlowClients: a slow client leaves a full room after a while, and stays if there are free places.
func TestSlowClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := "location.host;" + strings.Repeat(" ", 20*maxWrite)
		long := full()
		long.leave()
		to, begun := &slow{}, time.Now()
		err := (&Rewriter{}).scriptIn(long, to, strings.NewReader(text))
		if !errors.Is(err, errSlow) || time.Since(begun) > maxSending+2*time.Minute || to.n == 0 || len(long) != 1 {
			t.Errorf("in a full room: %v after %v and %d bytes; %d places are taken", err, time.Since(begun), to.n,
				len(long))
		}
		to = &slow{}
		err = (&Rewriter{}).scriptIn(make(room, 2), to, strings.NewReader(text))
		if err != nil || to.n <= len(text) {
			t.Errorf("with a free place: %v, %d bytes", err, to.n)
		}
	})
}

type errorReader struct{}

func (errorReader) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }
