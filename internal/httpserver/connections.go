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
// its client's next request gives way to a new one: idle clients keep no other one out. Without such a connection, one
// new client waits, and the others in the queue of the system. It is for servers without TLS: with it, the states are
// those of other connections.
type crowd struct {
	net.Listener
	most int

	mu   sync.Mutex
	at   map[net.Conn]*list.Element // all connections; the element is nil while a request is answered
	idle list.List                  // of waiting, the oldest first
	gone map[net.Conn]bool          // closed here; the server has not noted it yet
	room chan struct{}              // a place, or a connection that could give way
	end  chan struct{}
	once sync.Once
}

// waiting is a connection without a request.
type waiting struct {
	conn  net.Conn
	since time.Time
	fresh bool // it has sent no whole header yet
}

func newCrowd(l net.Listener, most int) *crowd {
	return &crowd{Listener: l, most: most, at: map[net.Conn]*list.Element{},
		gone: map[net.Conn]bool{}, room: make(chan struct{}, 1),
		end: make(chan struct{})}
}

// Accept implements [net.Listener].
func (c *crowd) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	for !c.enter(conn) {
		t := time.NewTimer(youngest / 4) // a new connection grows older without an event
		select {
		case <-c.room:
		case <-t.C:
		case <-c.end:
			t.Stop()
			_ = conn.Close() // the server ends
			return nil, net.ErrClosed
		}
		t.Stop()
	}
	return conn, nil
}

// enter gives a new connection a place. If there is none, it closes a connection that can give way, whose place is
// free soon.
func (c *crowd) enter(conn net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.at) < c.most {
		c.at[conn] = c.idle.PushBack(waiting{conn, time.Now(), true})
		return true
	}
	if len(c.at)-len(c.gone) < c.most {
		return false
	}
	for e := c.idle.Front(); e != nil; e = e.Next() {
		if w, ok := e.Value.(waiting); ok && (!w.fresh || time.Since(w.since) > youngest) {
			c.idle.Remove(e)
			c.at[w.conn], c.gone[w.conn] = nil, true
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
		if c.gone[conn] {
			return
		}
		c.at[conn] = c.idle.PushBack(waiting{conn, time.Now(), false})
	case http.StateClosed, http.StateHijacked:
		if e != nil {
			c.idle.Remove(e)
		}
		delete(c.at, conn)
		delete(c.gone, conn)
	default: // new: Accept counted it
		return
	}
	select {
	case c.room <- struct{}{}:
	default: // it is known already
	}
}
