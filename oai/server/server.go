// Package server runs an http.Handler as a web server of its own, that can stand in the open: with bounds on what a client may send
// and how long it may take, and an end at which those who are being served are served.
//
//	s, err := server.Listen(":8089")
//	fmt.Println(s.URL("/modoai")) // http://localhost:8089/modoai
//	err = s.Serve(ctx, handler, server.Options{}) // until ctx ends
package server

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"
)

// Server listens.
type Server struct {
	listener net.Listener
	host     string // as it was asked for
}

// Listen takes an address, as "localhost:8089" or ":8089".
func Listen(address string) (*Server, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("the address %q: give one as localhost:8089, or :8089 for all addresses of this machine: %w", address, err)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening at %s: %w", address, err)
	}
	return &Server{l, host}, nil
}

// Address is where it listens.
func (s *Server) Address() string { return s.listener.Addr().String() }

// URL gives the URL of a path, as somebody on this machine writes it.
func (s *Server) URL(path string) string {
	host := s.host
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	_, port, _ := net.SplitHostPort(s.Address()) // a listener's address has one
	if port == "80" {
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		return "http://" + host + path
	}
	return "http://" + net.JoinHostPort(host, port) + path
}

// Options of Serve.
type Options struct {
	Problem func(string) // told what clients and handlers do wrong, a line each; may be nil
}

// The bounds of one client.
const (
	headTime  = 10 * time.Second // for the head of a request
	idleTime  = 2 * time.Minute  // between two requests
	headBytes = 64 << 10
	lastWords = 10 * time.Second // for those who are being served at the end
)

// Serve answers until ctx ends. Those who are being served then are served, if that does not take long.
func (s *Server) Serve(ctx context.Context, h http.Handler, o Options) error {
	problem := o.Problem
	if problem == nil {
		problem = func(string) {}
	}
	web := &http.Server{Handler: h, ReadHeaderTimeout: headTime, IdleTimeout: idleTime, MaxHeaderBytes: headBytes, ErrorLog: log.New(lines(problem), "", 0)}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(s.listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer stop()
	err := web.Shutdown(last)
	if errors.Is(err, context.DeadlineExceeded) {
		problem("some were still being served: their connections are cut")
		err = web.Close()
	}
	return errors.Join(err, notClosed(<-ended))
}

// notClosed is err, unless it says that the server was closed, which is what was wanted.
func notClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Close lets go of the address. It is for a server that did not come to Serve.
func (s *Server) Close() error { return s.listener.Close() }

// lines has a log tell a function.
type lines func(string)

// Write implements io.Writer.
func (l lines) Write(p []byte) (int, error) {
	l(strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}
