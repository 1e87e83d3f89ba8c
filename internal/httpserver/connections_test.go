package httpserver

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
)

// TestConnections: idle and silent connections keep no other client out; requests that are answered do.
func TestConnections(t *testing.T) {
	l, err := On("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	held, release := make(chan bool), make(chan bool)
	mux := http.NewServeMux()
	mux.HandleFunc("/held", func(http.ResponseWriter, *http.Request) {
		held <- true
		<-release
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, l, mux, Options{Connections: 3}) }()
	ask := func(path string) (net.Conn, *bufio.Reader) {
		t.Helper()
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		if path != "" {
			_, err = io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
		}
		if err != nil {
			t.Fatal(err)
		}
		return conn, bufio.NewReader(conn)
	}
	answered := func(r *bufio.Reader) {
		t.Helper()
		answer, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatal(answer.Status, err)
		}
	}
	var idle []net.Conn
	for range 3 {
		conn, r := ask("/")
		answered(r)
		idle = append(idle, conn)
	}
	for _, conn := range idle { // none gives way while there is no other client
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		answered(bufio.NewReader(conn))
	}
	ask("") // silent
	for range 20 {
		_, r := ask("/") // stays open
		answered(r)
	}
	var busy []*bufio.Reader
	for range 3 {
		_, r := ask("/held")
		<-held
		busy = append(busy, r)
	}
	_, waits := ask("/")
	for _, r := range busy { // all places are taken until one answer ends
		release <- true
		answered(r)
	}
	answered(waits)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
