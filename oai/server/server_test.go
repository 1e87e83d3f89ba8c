package server_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"quire/oai/server"
)

func TestServe(t *testing.T) {
	s, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	begun, release := make(chan bool), make(chan bool)
	go func() {
		ended <- s.Serve(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			begun <- true
			<-release
			io.WriteString(w, "whole")
		}), server.Options{})
	}()
	got := make(chan string)
	go func() {
		r, err := http.Get(s.URL("/x"))
		if err != nil {
			got <- err.Error()
			return
		}
		defer r.Body.Close()
		b, _ := io.ReadAll(r.Body)
		got <- string(b)
	}()
	<-begun
	stop() // who is being served is served
	close(release)
	if b := <-got; b != "whole" {
		t.Errorf("%q", b)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := http.Get(s.URL("/x")); err == nil {
		t.Error("it listens still")
	}
}

func TestListen(t *testing.T) {
	for _, address := range []string{"", "localhost", "nowhere.invalid:0", "127.0.0.1:99999"} {
		if s, err := server.Listen(address); err == nil {
			t.Errorf("%q is taken", address)
			s.Close()
		}
	}
	for address, want := range map[string]string{":0": "http://localhost:", "0.0.0.0:0": "http://localhost:", "127.0.0.1:0": "http://127.0.0.1:"} {
		s, err := server.Listen(address)
		if err != nil {
			t.Fatal(err)
		}
		if u := s.URL("/modoai"); !strings.HasPrefix(u, want) || !strings.HasSuffix(u, "/modoai") {
			t.Errorf("%s: %s", address, u)
		}
		s.Close()
	}
}
