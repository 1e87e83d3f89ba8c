// Package httpserver serves HTTP on one address for a program that harvesters and the public can
// reach. It bounds the size and time of requests, and at the end it lets answers in progress
// finish.
package httpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"
)

// Options are the options of a server. The zero value is valid.
type Options struct {
	// Connections at the same time; default 512. If all are taken, one without a request gives way to a new one
	Connections int
	// the time for a request to arrive, with its body; default one minute, negative means unbounded
	Body  time.Duration
	Grace time.Duration // the time for answers in progress after the end; default 5 s

	// Problem receives errors of connections and panics of handlers, from any goroutine. It may be
	// nil.
	Problem func(error)
}

// Bounds on a client's request. The handler bounds its answer: a list page can have megabytes.
const (
	headerTime  = 10 * time.Second
	requestTime = time.Minute
	idleTime    = 2 * time.Minute
	headerBytes = 64 << 10
)

// On listens on an address: HOST:PORT, or :PORT for all of the machine's addresses. Port 0 chooses
// a free port.
func On(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot listen on %q: %w (another program uses it: stop that program, or "+
			"choose another port)", address,
			err)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("cannot listen on %q: %w (ports below 1024 need root: choose a higher one)", address, err)
	}
	return nil, fmt.Errorf("cannot listen on %q: %w (write it as 127.0.0.1:8000)", address, err)
}

// URL returns the address of a listener for clients. If it listens on all addresses, URL contains
// the machine's name.
func URL(l net.Listener) string {
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return "http://" + l.Addr().String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		name, _ := os.Hostname() // without a name, use this machine's loopback
		host = cmp.Or(name, "localhost")
	}
	if port == "80" {
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		return "http://" + host
	}
	return "http://" + net.JoinHostPort(host, port)
}

// Serve serves requests until the context ends, and closes the listener. Answers in progress may
// then finish within the grace time; the rest is cut off. The error is nil if the context ended.
func Serve(ctx context.Context, l net.Listener, h http.Handler, o Options) error {
	if o.Connections == 0 {
		o.Connections = 512
	}
	if o.Body == 0 {
		o.Body = requestTime
	}
	if o.Grace == 0 {
		o.Grace = 5 * time.Second
	}
	// Requests end with their clients, or after the grace time, but not at once when the context
	// ends.
	work, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	s := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, ReadTimeout: o.Body, IdleTimeout: idleTime,
		MaxHeaderBytes: headerBytes,
		BaseContext:    func(net.Listener) context.Context { return work },
		ErrorLog:       log.New(&problems{o.Problem}, "", 0),
	}
	all := newCrowd(l, o.Connections)
	s.ConnState = all.changed
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(all) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, done := context.WithTimeout(work, o.Grace)
	defer done()
	err := s.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.Close() // before stopping handlers: a broken-off answer would look complete
		cut()
	}
	return errors.Join(err, notClosed(<-ended))
}

// notClosed returns an error of serving, except the one of a normal end.
func notClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// problems receives the lines that net/http logs.
type problems struct{ tell func(error) }

// Write implements io.Writer.
func (p *problems) Write(line []byte) (int, error) {
	text := strings.TrimSpace(string(line))
	if p.tell != nil && !strings.HasPrefix(text, "http: TLS handshake error") {
		p.tell(errors.New(text))
	}
	return len(line), nil
}
