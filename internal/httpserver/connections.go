package httpserver

import (
	"container/list"
	"net"
	"net/http"
	"sync"
	"time"
)

// youngest is how long a new connection may send nothing before another client may have its place.
const youngest = time.Second

// crowd is a listener that keeps at most so many connections. If all places are taken, a connection that waits for
// its client's next request gives way: idle clients keep no other one out. Without such a connection, clients wait.
type crowd struct {
	net.Listener
	most int

	mu   sync.Mutex
	at   map[net.Conn]*list.Element // all connections; the element is nil while a request is answered
	idle list.List                  // of waiting, the oldest first
	room chan struct{}              // a place, or a connection that could give way
	end  chan struct{}
	once sync.Once
}

// waiting is a connection without a request.
type waiting struct {
	conn  net.Conn
	since time.Time
	fresh bool // it has sent nothing yet
}

func newCrowd(l net.Listener, most int) *crowd {
	return &crowd{Listener: l, most: most, at: map[net.Conn]*list.Element{}, room: make(chan struct{}, 1),
		end: make(chan struct{})}
}

// Accept implements [net.Listener].
func (c *crowd) Accept() (net.Conn, error) {
	for !c.free() {
		t := time.NewTimer(youngest / 4) // a new connection grows older without an event
		select {
		case <-c.room:
		case <-t.C:
		case <-c.end:
			t.Stop()
			return nil, net.ErrClosed
		}
		t.Stop()
	}
	conn, err := c.Listener.Accept()
	if err == nil {
		c.mu.Lock()
		c.at[conn] = c.idle.PushBack(waiting{conn, time.Now(), true})
		c.mu.Unlock()
	}
	return conn, err
}

// free reports whether there is a place. If not, it closes a connection that can give way, whose place is free soon.
func (c *crowd) free() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.at) < c.most {
		return true
	}
	for e := c.idle.Front(); e != nil; e = e.Next() {
		if w, ok := e.Value.(waiting); ok && (!w.fresh || time.Since(w.since) > youngest) {
			c.idle.Remove(e)
			c.at[w.conn] = nil
			_ = w.conn.Close() // the server notes the end
			return false
		}
	}
	return false
}

// Close implements [net.Listener].
func (c *crowd) Close() error {
	c.once.Do(func() { close(c.end) })
	return c.Listener.Close()
}

// changed follows the states of connections, as [http.Server.ConnState].
func (c *crowd) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, known := c.at[conn]
	if !known {
		return
	}
	switch state {
	case http.StateActive:
		if e != nil {
			c.idle.Remove(e)
		}
		c.at[conn] = nil
		return
	case http.StateIdle:
		c.at[conn] = c.idle.PushBack(waiting{conn, time.Now(), false})
	case http.StateClosed, http.StateHijacked:
		if e != nil {
			c.idle.Remove(e)
		}
		delete(c.at, conn)
	default: // new: Accept counted it
		return
	}
	select {
	case c.room <- struct{}{}:
	default: // it is known already
	}
}
