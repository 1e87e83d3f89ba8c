package health

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"quire/repository/jobs"
	"quire/repository/store"
)

// Ready answers whether a service can work: its catalogue and its queue answer, and as many copies are there as an
// ingest needs. The answer has no name or path, so every client may ask.
type Ready struct {
	p probe[[]check]
}

// check is one thing that must work.
type check struct {
	name string
	good bool
	note string
}

// times of a question.
const (
	readyKeep = time.Second
	readyWait = 5 * time.Second
)

// NewReady returns the handler for a repository and its queue.
func NewReady(s *store.Store, q *jobs.Queue) *Ready {
	return &Ready{p: probe[[]check]{keep: readyKeep, wait: readyWait, look: func(ctx context.Context) ([]check, error) {
		return checks(ctx, s, q), nil
	}}}
}

func checks(ctx context.Context, s *store.Store, q *jobs.Queue) []check {
	ctx, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	_, catalogue := s.Changes(ctx)
	_, queue := q.Workers(ctx)
	states := s.CopyStates()
	there := 0
	for _, c := range states {
		if c.Problem == "" {
			there++
		}
	}
	return []check{
		{name: "catalogue", good: catalogue == nil},
		{name: "queue", good: queue == nil},
		{name: "copies", good: there >= s.Required(), note: fmt.Sprintf("%d of %d", there, len(states))},
	}
}

// ServeHTTP implements http.Handler.
func (h *Ready) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	all, err := h.p.ask(r.Context())
	status := http.StatusOK
	var text strings.Builder
	if err != nil {
		status = http.StatusServiceUnavailable
		fmt.Fprintln(&text, "not ready: no answer in time")
	}
	for _, c := range all {
		word := "ok"
		if !c.good {
			word, status = "not ready", http.StatusServiceUnavailable
		}
		fmt.Fprintln(&text, strings.TrimSpace(c.name+": "+word+" "+c.note))
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text.String())) // a client that has gone needs no answer
}
