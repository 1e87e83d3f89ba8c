package accesscontrol

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

func TestRate(t *testing.T) {
	c := from("everyone")
	c.Allow[0].Rate = "2/s"
	w := newGateway(t, c)
	w.want(t, 200, "192.0.2.1:1")
	w.want(t, 200, "192.0.2.1:2")
	if rec := w.want(t, 503, "192.0.2.1:3"); rec.Header().Get("Retry-After") != "1" {
		t.Error(rec.Header())
	}
	w.want(t, 200, "192.0.2.2:1") // another client has its own bucket
	w.on(500 * time.Millisecond)
	w.want(t, 200, "192.0.2.1:1")
	w.want(t, 503, "192.0.2.1:1")
	w.on(time.Hour)
	for range 2 { // the size of the bucket
		w.want(t, 200, "192.0.2.1:1")
	}
	w.want(t, 503, "192.0.2.1:1")
}

func TestRetryAfter(t *testing.T) {
	for rate, want := range map[string]string{"1/s": "1", "1/m": "60", "1/h": "3600", "7/h": "515", "100/m": "1"} {
		c := from("everyone")
		c.Allow[0].Rate = rate
		w := newGateway(t, c)
		rec := w.ask("192.0.2.1:1")
		for range 1000 {
			if rec.Code != 200 {
				break
			}
			rec = w.ask("192.0.2.1:1")
		}
		if rec.Code != http.StatusServiceUnavailable || rec.Header().Get("Retry-After") != want {
			t.Errorf("%s: %d, %q; want %s", rate, rec.Code, rec.Header().Get("Retry-After"), want)
		}
	}
}

// TestRetryAfterIsEnough checks that a client is admitted after the stated wait.
func TestRetryAfterIsEnough(t *testing.T) {
	c := from("everyone")
	c.Allow[0].Rate = "7/h"
	w := newGateway(t, c)
	for range 7 {
		w.want(t, 200, "192.0.2.1:1")
	}
	for range 20 {
		w.want(t, 503, "192.0.2.1:1")
		w.on(515 * time.Second)
		w.want(t, 200, "192.0.2.1:1")
	}
}

// TestClockPutBack checks that setting the clock back by years does not cause a wait of years.
func TestClockPutBack(t *testing.T) {
	c := from("everyone")
	c.Allow[0].Rate = "1/m"
	w := newGateway(t, c)
	w.want(t, 200, "192.0.2.1:1")
	w.on(-10 * 365 * 24 * time.Hour)
	w.want(t, 503, "192.0.2.1:1")
	w.on(time.Minute)
	w.want(t, 200, "192.0.2.1:1")
}

// TestRateOfIPv6 checks that the 2^64 addresses of one IPv6 network count as one client.
func TestRateOfIPv6(t *testing.T) {
	c := from("everyone")
	c.Allow[0].Rate = "2/m"
	w := newGateway(t, c)
	w.want(t, 200, "[2001:db8::1]:1")
	w.want(t, 200, "[2001:db8::ffff:1]:1")
	w.want(t, 503, "[2001:db8::2%eth0]:1")
	w.want(t, 200, "[2001:db8:0:1::1]:1")
	w.want(t, 200, "192.0.2.1:1")
	w.want(t, 200, "[::ffff:192.0.2.1]:1")
	w.want(t, 503, "192.0.2.1:1") // the same address in two forms
}

func TestTableIsBounded(t *testing.T) {
	b := newBuckets(rate{burst: 1, every: time.Hour}, 100)
	if b.take("first", noon) != 0 {
		t.Fatal("the first is not let in")
	}
	for i := range 99 {
		b.take(fmt.Sprint(i), noon)
	}
	if b.take("first", noon) == 0 {
		t.Error("one of a hundred was forgotten")
	}
	for i := range 100_000 {
		b.take(fmt.Sprint(i), noon)
		if i%50 == 0 {
			b.take("first", noon)
		}
	}
	if len(b.of) != 100 || b.recent.Len() != 100 {
		t.Errorf("%d and %d are remembered", len(b.of), b.recent.Len())
	}
	if b.take("first", noon) == 0 {
		t.Error("an active client was forgotten")
	}
}

func TestRatesRefused(t *testing.T) {
	for _, s := range []string{"10", "10/d", "0/s", "-1/s", "1.5/s", "10/", "/s", "fast", "1000001/s",
		"99999999999999999999/s"} {
		if _, err := parseRate(s); err == nil {
			t.Errorf("%q is a rate", s)
		}
	}
}

// TestRateOfTwoAgreements checks that after one agreement is used up, the next that matches still
// admits.
func TestRateOfTwoAgreements(t *testing.T) {
	w := newGateway(t, Config{Allow: []Agreement{
		{Networks: []string{"everyone"}, Rate: "1/h"},
		{Networks: []string{"192.0.2.0/24"}, Rate: "1/m"},
	}})
	w.want(t, 200, "192.0.2.1:1")
	w.want(t, 200, "192.0.2.1:1")
	if rec := w.want(t, 503, "192.0.2.1:1"); rec.Header().Get("Retry-After") != "60" {
		t.Error(rec.Header())
	}
	w.want(t, 200, "198.51.100.1:1")
	if rec := w.want(t, 503, "198.51.100.1:1"); rec.Header().Get("Retry-After") != "3600" {
		t.Error(rec.Header())
	}
}
