// Package httpserver answers HTTP on one address, as a program that harvesters and strangers reach
// has to: with bounds on what a client may send and how long it may take, and an end that lets
// answers under way be finished.
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

	"golang.org/x/net/netutil"
)

// Options of a server. The zero value is good.
type Options struct {
	Connections int // at the same time; 512 when 0. More wait
	// how long a request may take to arrive, with its body; a minute when 0, without bound below 0
	Body  time.Duration
	Grace time.Duration // how long answers under way may take once the end has come; 5 s when 0

	// Problem gets errors of connections and panics of handlers, from any goroutine. It may be nil.
	Problem func(error)
}

// Bounds on the request of a client. The handler bounds its answer: a page of a list is megabytes.
const (
	headerTime  = 10 * time.Second
	requestTime = time.Minute
	idleTime    = 2 * time.Minute
	headerBytes = 64 << 10
)

// On listens on an address: HOST:PORT, or :PORT for all of the machine's. Port 0 takes a free one.
func On(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot listen on %q: %w (another program does: end it, or name another port)", address,
			err)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("cannot listen on %q: %w (ports below 1024 are root's: name a higher one)", address, err)
	}
	return nil, fmt.Errorf("cannot listen on %q: %w (write it as 127.0.0.1:8000)", address, err)
}

// URL returns the address of a listener for others: with the name of the machine, when it listens
// on all its addresses.
func URL(l net.Listener) string {
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return "http://" + l.Addr().String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		name, _ := os.Hostname() // without one it is this machine at least
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

// Serve answers until the context ends, and closes the listener. Then answers under way are
// finished, for a while; the rest is broken off by then is cut. The error is nil when the context
// ended.
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
	// Requests end with their clients, or when grace is over; not at once when the end has come.
	work, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	s := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, ReadTimeout: o.Body, IdleTimeout: idleTime,
		MaxHeaderBytes: headerBytes,
		BaseContext:    func(net.Listener) context.Context { return work },
		ErrorLog:       log.New(&problems{o.Problem}, "", 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(netutil.LimitListener(l, o.Connections)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, done := context.WithTimeout(work, o.Grace)
	defer done()
	err := s.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.Close() // before handlers are stopped: an answer that one breaks off would seem whole
		cut()
	}
	return errors.Join(err, notClosed(<-ended))
}

// notClosed is an error of serving that is more than that it was ended.
func notClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// problems takes the lines that net/http logs.
type problems struct{ tell func(error) }

// Write implements io.Writer.
func (p *problems) Write(line []byte) (int, error) {
	text := strings.TrimSpace(string(line))
	if p.tell != nil && !strings.HasPrefix(text, "http: TLS handshake error") {
		p.tell(errors.New(text))
	}
	return len(line), nil
}
