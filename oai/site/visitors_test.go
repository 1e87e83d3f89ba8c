package site

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// While a visitor is served, work pauses at its end and delays new work; without visitors it does
// not.
func TestVisitors(t *testing.T) {
	synctest.Test(t, testVisitors) // the clock advances only when all wait
}

func testVisitors(t *testing.T) {
	var v Visitors
	work, err := v.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	work.began = time.Now().Add(-time.Hour) // so that the pause would be the longest
	begun := time.Now()
	work.Rest(t.Context())
	if took := time.Since(begun); took > 0 {
		t.Errorf("it rested %v without visitors", took)
	}
	arrived, leave := make(chan bool), make(chan bool)
	go v.Serve(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(arrived); <-leave }),
		httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	<-arrived
	if work, err = v.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	work.began = time.Now().Add(-time.Hour)
	resting, wake := context.WithCancel(t.Context())
	rested := make(chan bool)
	go func() { work.Rest(resting); close(rested) }()
	synctest.Wait()
	if len(v.turn) == 0 {
		t.Fatal("it does not rest")
	}
	given, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := v.Begin(given); !errors.Is(err, context.Canceled) {
		t.Errorf("something begins while another rests: %v", err)
	}
	wake()
	<-rested
	close(leave)
	if _, err := v.Begin(t.Context()); err != nil {
		t.Errorf("it rests for ever: %v", err)
	}
}
