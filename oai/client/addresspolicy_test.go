package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"
	"time"
)

// A public server cannot direct our requests to this machine, by a reference or a redirect; a
// server on this machine can.
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
		r := newReach(&url.URL{Scheme: "http", Host: "a.example"}, false)
		r.known, r.most = true, most
		c, err := New("http://a.example/oai",
			Options{Transport: r.transport(time.Minute), Sleep: func(context.Context, time.Duration) error {
				return nil
			}})
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
		} else if !errors.Is(err, ErrAddressRefused) || asked != before || c.Asked != 1 {
			t.Errorf("%d: %v; %d questions, %d tries", most, err, asked-before, c.Asked)
		}
		c.Close()
	}
}

// The server's first address decides, even if its name leads elsewhere later.
func TestReachOfServer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	r := newReach(u, false)
	conn, err := r.dial(t.Context(), "tcp", hostPort(u))
	if err != nil || !r.known || r.most != machine {
		t.Fatalf("%+v %v", r, err)
	}
	_ = conn.Close()
	r.most = world
	if _, err := r.dial(t.Context(), "tcp", hostPort(u)); !errors.Is(err, ErrAddressRefused) {
		t.Error(err)
	}
}

func TestDepth(t *testing.T) {
	for address, want := range map[string]depth{
		"192.0.2.1": world, "2001:db8::1": world, "10.1.2.3": house, "fd00::1": house, "100.64.0.1": house,
		"::ffff:10.0.0.1":   house,
		"64:ff9b::10.0.0.1": house, "64:ff9b::127.0.0.1": machine, "2002:7f00:1::": machine, "2002:c000:201::1": world,
		"2001:0:102:304::f5ff:fffe": house,
		"::127.0.0.1":               machine, "0.1.2.3": machine, "198.18.0.1": house, "255.255.255.255": house,
		"64:ff9b:1::1": house, "ff02::1": machine, "fe80::1%eth0": machine,
		"127.0.0.1": machine, "::1": machine, "::ffff:127.0.0.1": machine, "169.254.169.254": machine,
		"fe80::1": machine, "0.0.0.0": machine, "::": machine,
	} {
		if got := depthOf(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %d", address, got)
		}
	}
}

// Through a proxy without restrictions, a record's reference could have reached this machine.
func TestReachThroughProxy(t *testing.T) {
	secrets := 0
	within := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		secrets++
		_, _ = fmt.Fprint(w, "secret")
	}))
	defer within.Close()
	var proxied []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proxied = append(proxied, r.URL.String())
		if r.URL.Host == "a.example" {
			if r.URL.Path == "/leads" {
				http.Redirect(w, r, within.URL, http.StatusFound)
			}
			_, _ = fmt.Fprint(w, "of the server")
			return
		}
		r.RequestURI = ""
		a, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer func() { _ = a.Body.Close() }()
		_, _ = io.Copy(w, a.Body)
	}))
	defer proxy.Close()
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	base := &url.URL{Scheme: "http", Host: "a.example", Path: "/oai"}
	for _, trusted := range []bool{false, true} {
		r := newReach(base, trusted)
		r.through = http.ProxyURL(at)
		c, err := New(base.String(), Options{Transport: r.transport(time.Minute), Attempts: 1,
			Sleep: func(context.Context, time.Duration) error { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range []string{"http://a.example/leads", within.URL} {
			secrets, proxied = 0, nil
			u, err := url.Parse(target)
			if err != nil {
				t.Fatal(err)
			}
			a, err := c.Fetch(t.Context(), u, 100)
			if err == nil {
				_ = a.Close()
			}
			if got := secrets > 0; got != trusted || !trusted && !errors.Is(err, ErrAddressRefused) {
				t.Errorf("trusted %v, %s: reached: %v; %v; through the proxy: %v", trusted, target, got, err, proxied)
			}
		}
		u := *base
		if a, err := c.Fetch(t.Context(), &u, 100); err != nil || a.Size() != int64(len("of the server")) {
			t.Errorf("the server itself: %v", err)
		}
		c.Close()
	}
}
