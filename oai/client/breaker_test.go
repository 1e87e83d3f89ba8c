package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// hosts answers requests for references: at dead hosts after a time, by an error.
type hosts struct {
	dead  func(host string) bool
	slow  time.Duration
	asked int
}

func (h *hosts) RoundTrip(r *http.Request) (*http.Response, error) {
	h.asked++
	if to, found := strings.CutPrefix(r.URL.Host, "resolver."); found {
		return &http.Response{StatusCode: http.StatusFound, Header: http.Header{"Location": {"http://" + to}},
			Body: http.NoBody, Request: r}, nil
	}
	if h.dead(r.URL.Host) {
		time.Sleep(h.slow)
		return nil, errors.New("no route to host")
	}
	return &http.Response{StatusCode: http.StatusOK, ContentLength: 0, Body: http.NoBody, Request: r}, nil
}

// references fetches references, one after the other. It returns how many were fetched, and how long it took.
func references(t *testing.T, c *Client, n int, host func(int) string) (fetched int, took time.Duration) {
	t.Helper()
	began := time.Now()
	for i := range n {
		a, err := c.Fetch(context.Background(), &url.URL{Scheme: "http", Host: host(i), Path: "/file"}, -1)
		if err == nil {
			fetched++
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return fetched, time.Since(began)
}

func clientOf(t *testing.T, h *hosts) *Client {
	t.Helper()
	c, err := New("http://a.example/oai", Options{Transport: h, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestDeadHosts: a thousand references to dead hosts cost minutes, and references between them are fetched.
func TestDeadHosts(t *testing.T) {
	dead := func(host string) bool { return host != "good.example" }
	for _, d := range []struct {
		name     string
		slow     time.Duration
		host     func(int) string
		fetched  int
		requests int
		took     time.Duration // at most
	}{
		{"one dead host", 0, func(int) string { return "dead.example" }, 0, 6, time.Minute},
		{"one silent host", 30 * time.Second, func(int) string { return "dead.example" }, 0, 6, 4 * time.Minute},
		{"a thousand dead hosts", 0, func(i int) string { return fmt.Sprintf("dead-%d.example", i) }, 0, 1100,
			11 * time.Minute},
		{"a thousand silent hosts", 30 * time.Second, func(i int) string { return fmt.Sprintf("dead-%d.example", i) },
			0, 40, 21 * time.Minute},
		{"one host is dead, the other good", 0, func(i int) string {
			return []string{"dead.example", "good.example"}[i%2]
		}, 500, 506, time.Minute},
	} {
		t.Run(d.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &hosts{dead: dead, slow: d.slow}
				fetched, took := references(t, clientOf(t, h), 1000, d.host)
				if fetched != d.fetched || h.asked > d.requests || took > d.took {
					t.Errorf("%d fetched, %d requests, %s; want %d, at most %d, %s", fetched, h.asked, took, d.fetched,
						d.requests, d.took)
				}
			})
		})
	}
}

// TestHostRecovers: a host that answered before gets three patient references. After a pause, one request tries it
// again; when it answers, all references are patient again.
func TestHostRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := false
		h := &hosts{dead: func(string) bool { return down }}
		c := clientOf(t, h)
		one := func(int) string { return "a.example" }
		references(t, c, 1, one)
		down, h.asked = true, 0
		if fetched, _ := references(t, c, 10, one); fetched != 0 || h.asked != 3*6 {
			t.Errorf("%d fetched, %d requests; want 0 and 18", fetched, h.asked)
		}
		_, err := c.Fetch(context.Background(), &url.URL{Scheme: "http", Host: "A.example:80"}, -1)
		if !errors.Is(err, ErrHostDown) {
			t.Errorf("%v, want %v", err, ErrHostDown)
		}
		h.asked = 0
		time.Sleep(firstPause)
		if references(t, c, 10, one); h.asked != 1 {
			t.Errorf("%d requests after the pause, want 1", h.asked)
		}
		if time.Sleep(firstPause); !c.breaker.now().Before(c.breaker.hosts["a.example:80"].until) {
			t.Error("the second pause is not longer")
		}
		time.Sleep(firstPause)
		down = false
		if fetched, _ := references(t, c, 10, one); fetched != 10 {
			t.Errorf("%d fetched, want all 10", fetched)
		}
		down, h.asked = true, 0
		if references(t, c, 1, one); h.asked != 6 {
			t.Errorf("%d requests, want 6", h.asked)
		}
	})
}

// TestRedirects: a host that redirects to dead hosts is not dead, and the dead hosts are left alone.
func TestRedirects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hosts{dead: func(host string) bool { return host == "dead.example" }}
		c := clientOf(t, h)
		fetch := func(to string) error {
			a, err := c.Fetch(context.Background(), &url.URL{Scheme: "http", Host: "resolver." + to}, -1)
			if err == nil {
				err = a.Close()
			}
			return err
		}
		for range 5 {
			if err := fetch("dead.example"); err == nil {
				t.Error("the dead host was fetched")
			}
		}
		if h.asked > 2*6+4 {
			t.Errorf("%d requests", h.asked)
		}
		if r := c.breaker.hosts["resolver.dead.example:80"]; r.failed != 0 || !r.answered {
			t.Error("the host that redirects is taken for dead")
		}
		if err := fetch("good.example"); err != nil {
			t.Error(err)
		}
	})
}

// TestBreaksOff: a host that answers, and breaks off each time, is left alone, and is not taken for dead.
func TestBreaksOff(t *testing.T) {
	b := breaker{now: time.Now, hosts: map[string]*hostHealth{}}
	u := &url.URL{Scheme: "http", Host: "a.example"}
	for range mostFailed {
		b.ended(u, fmt.Errorf("%w: 3 of 5 bytes", ErrCut), time.Hour)
	}
	if _, err := b.attempts(u, 6); !errors.Is(err, ErrHostDown) || b.lost != 0 {
		t.Errorf("%v, %s lost", err, b.lost)
	}
}

// TestMissingIsAlive: a server that answers with 404 is not dead.
func TestMissingIsAlive(t *testing.T) {
	b := breaker{now: time.Now, hosts: map[string]*hostHealth{}}
	u := &url.URL{Scheme: "http", Host: "a.example"}
	for range 20 {
		b.ended(u, &RefusedError{Status: http.StatusNotFound}, time.Hour)
	}
	if n, err := b.attempts(u, 6); n != 6 || err != nil {
		t.Errorf("%d %v, want 6 attempts", n, err)
	}
	b.ended(u, &BusyError{Status: http.StatusServiceUnavailable, Until: time.Now().Add(time.Hour)}, 0)
	if _, err := b.attempts(u, 6); !errors.Is(err, ErrHostDown) {
		t.Errorf("%v: a busy host is left alone for the hour that it asks for", err)
	}
}
