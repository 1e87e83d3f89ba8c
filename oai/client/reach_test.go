package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"
	"time"
)

// A server in the world cannot have us ask this machine, be it by a reference or by a redirect; one on this machine can.
func TestReach(t *testing.T) {
	asked := 0
	within := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = fmt.Fprint(w, "secret")
	}))
	defer within.Close()
	target, err := url.Parse(within.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []depth{world, house, machine} {
		r := &reach{base: "a.example:80", proxies: map[string]bool{}, known: true, most: most}
		c, err := New("http://a.example/oai", Options{Transport: r.transport(time.Minute), Sleep: func(context.Context, time.Duration) error { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		before := asked
		a, err := c.Fetch(t.Context(), target, 100)
		if most == machine {
			if err != nil || a.Size() != 6 {
				t.Errorf("%d: %v", most, err)
			}
			_ = a.Close()
		} else if !errors.Is(err, ErrReach) || asked != before || c.Asked != 1 {
			t.Errorf("%d: %v; %d questions, %d tries", most, err, asked-before, c.Asked)
		}
		c.Close()
	}
}

// Where the server is found first holds, whatever its name leads to later.
func TestReachOfServer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	r := &reach{base: hostPort(u), proxies: map[string]bool{}}
	conn, err := r.dial(t.Context(), "tcp", hostPort(u))
	if err != nil || !r.known || r.most != machine {
		t.Fatalf("%+v %v", r, err)
	}
	_ = conn.Close()
	r.most = world
	if _, err := r.dial(t.Context(), "tcp", hostPort(u)); !errors.Is(err, ErrReach) {
		t.Error(err)
	}
}

func TestDepth(t *testing.T) {
	for address, want := range map[string]depth{
		"192.0.2.1": world, "2001:db8::1": world, "10.1.2.3": house, "fd00::1": house, "100.64.0.1": house, "::ffff:10.0.0.1": house,
		"127.0.0.1": machine, "::1": machine, "::ffff:127.0.0.1": machine, "169.254.169.254": machine, "fe80::1": machine, "0.0.0.0": machine, "::": machine,
	} {
		if got := depthOf(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %d", address, got)
		}
	}
}
