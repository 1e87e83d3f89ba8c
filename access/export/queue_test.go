package export

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quire/holdings"
	"quire/model"
)

// TestOrders: the numbers of running and waiting exports are limited; requests for the same export
// share one run, and read it independently.
func TestOrders(t *testing.T) {
	o := newOrders(&Limits{AtOnce: 1, Waiting: 1, Time: time.Hour})
	defer o.close()
	file := filepath.Join(t.TempDir(), "made")
	if err := os.WriteFile(file, []byte("made"), 0o600); err != nil {
		t.Fatal(err)
	}
	release, turns := make(chan struct{}), make(chan string, 10)
	do := func(what string) func(context.Context) (*sharedFile, error) {
		return func(ctx context.Context) (*sharedFile, error) {
			turns <- what
			select {
			case <-release:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			f, err := os.Open(file)
			return &sharedFile{file: f, users: 1}, err
		}
	}
	join := func(what string) *job {
		t.Helper()
		a, err := o.join(what, do(what))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	first := join("1")
	if what := <-turns; what != "1" {
		t.Fatalf("%s has the turn", what)
	}
	waits, same := join("2"), join("1")
	if same != first {
		t.Error("the same is made twice")
	}
	if _, err := o.join("3", do("3")); !errors.Is(err, errBusy) {
		t.Errorf("a third: %v", err)
	}
	o.leave("2", waits) // no client waits any more
	<-waits.ready
	if !errors.Is(waits.err, context.Canceled) || len(turns) != 0 {
		t.Errorf("export without waiting clients: %v", waits.err)
	}
	close(release)
	<-first.ready
	if first.err != nil {
		t.Fatal(first.err)
	}
	first.made.close()
	if b := make([]byte, 4); true {
		if _, err := first.made.file.ReadAt(b, 0); err != nil || string(b) != "made" {
			t.Errorf("the second reader: %q, %v", b, err)
		}
	}
	o.leave("1", same) // the client left while it became ready
	if _, err := first.made.file.ReadAt(make([]byte, 1), 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the file is still open without readers: %v", err)
	}
	if p, err := o.ask(t.Context(), "4", do("4")); err != nil {
		t.Errorf("after these: %v", err)
	} else {
		p.close()
	}
}

// TestBusy: a busy response includes the time to retry.
func TestBusy(t *testing.T) {
	w := httptest.NewRecorder()
	(&Handler{}).refuse(w, errBusy)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "60" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

// TestEvents: views and exports of a package do not change its state.
func TestEvents(t *testing.T) {
	s := &Source{Package: &holdings.Package{Events: []holdings.Event{
		{Type: "capture"}, {Type: string(model.Ingestion), Repository: true},
		{Type: string(model.Dissemination), Repository: true}, {Type: "fixity check", Repository: true},
	}}}
	if all := s.Events(); len(all) != 2 || all[0].Type != "capture" || all[1].Type != string(model.Ingestion) {
		t.Errorf("%+v", all)
	}
}
