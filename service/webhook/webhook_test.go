package webhook

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/repository/jobs"
	"quire/service/servicetest"
)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

func hook(t *testing.T, url, key string) *Hook {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return &Hook{Name: "desk", URL: url, SecretFile: file, States: DefaultStates}
}

// TestSign has the example of the libraries of Standard Webhooks.
func TestSign(t *testing.T) {
	key, err := hook(t, "", secret).key()
	if err != nil {
		t.Fatal(err)
	}
	got := sign(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestSend: a message arrives once, signed; a refusal is for good, and other answers are not.
func TestSend(t *testing.T) {
	status, calls := http.StatusOK, 0
	var got Message
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, keyPrefix))
		if err != nil {
			t.Error(err)
		}
		h := r.Header
		at, err := strconv.ParseInt(h.Get("webhook-timestamp"), 10, 64)
		if age := time.Since(time.Unix(at, 0)); err != nil || age < -time.Minute || age > time.Minute {
			t.Errorf("the time is %s", h.Get("webhook-timestamp"))
		}
		if want := sign(key, "job-7-failed", h.Get("webhook-timestamp"), body); h.Get("webhook-id") != "job-7-failed" ||
			h.Get("webhook-signature") != want {
			t.Errorf("%v", h)
		}
		if err := json.Unmarshal(body, &got); err != nil {
			t.Error(err)
		}
		w.Header().Set("Location", "/again")
		w.WriteHeader(status)
	}))
	defer s.Close()
	exit := 2
	j := jobs.Job{ID: 7, State: jobs.Failed, Queue: "audit", By: "Ada", Command: []string{"audit", "secret-package"},
		Report: &jobs.Report{ExitStatus: &exit}}
	for _, c := range []struct {
		status     int
		ok, refuse bool
	}{
		{http.StatusOK, true, false}, {http.StatusNoContent, true, false}, {http.StatusFound, false, false},
		{http.StatusGone, false, true}, {http.StatusBadRequest, false, false},
		{http.StatusServiceUnavailable, false, false},
	} {
		status, calls, got = c.status, 0, Message{}
		err := hook(t, s.URL, secret).Send(t.Context(), "job-7-failed", Of(&j, "https://operate.example"))
		if (err == nil) != c.ok || errors.Is(err, ErrRefused) != c.refuse || calls != 1 {
			t.Errorf("%d: %v after %d calls", c.status, err, calls)
		}
		if got.Type != "job.failed" || got.Data == nil || got.Data.Kind != "audit" || *got.Data.ExitStatus != exit ||
			got.Data.URL != "https://operate.example/api/v1/jobs/7" {
			t.Errorf("%+v", got)
		}
	}
}

// TestAway: the error of a receiver that is away does not have its URL, which can be a secret.
func TestAway(t *testing.T) {
	err := hook(t, "http://127.0.0.1:1/hidden?token=hidden", secret).Send(t.Context(), "test-1", Message{Type: "test"})
	if err == nil || errors.Is(err, ErrRefused) || strings.Contains(err.Error(), "hidden") ||
		!strings.Contains(err.Error(), "webhook desk") {
		t.Error(err)
	}
}

// TestCheck refuses settings with which a message would be read by others, or could be forged.
func TestCheck(t *testing.T) {
	for url, ok := range map[string]bool{
		"https://desk.example/hook": true, "http://localhost:1/": true, "http://127.0.0.1:1/": true,
		"http://[::1]/":        true,
		"http://desk.example/": false, "https://u:p@desk.example/": false, "ftp://desk.example/": false, "desk": false,
	} {
		if err := hook(t, url, secret).Check(); (err == nil) != ok {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, key := range []string{"", "whsec_", "whsec_c2hvcnQ=", "no base64!",
		strings.TrimPrefix(secret, "whsec_")} {
		if err := hook(t, "https://desk.example/", key).Check(); err == nil {
			t.Errorf("the key %q was taken", key)
		}
	}
}

// TestFollow: each job that ends as a hook wants becomes one message. Messages themselves make none.
func TestFollow(t *testing.T) {
	r := holdingstest.New(t)
	q := servicetest.New(t, r, holdings.Options{}).Desk.Queue
	f := &Follower{Jobs: q, Folder: r.Dir, Log: slog.New(slog.DiscardHandler),
		Hooks: []Hook{{Name: "a", States: []jobs.State{jobs.Cancelled}},
			{Name: "b", States: []jobs.State{jobs.Failed}}},
		Command: func(hook string, job int64) []string {
			return []string{Queue, hook, strconv.FormatInt(job, 10)}
		}}
	look := func() {
		t.Helper()
		if more, err := f.Look(t.Context()); err != nil || more {
			t.Fatal(more, err)
		}
	}
	look()
	cancelled := func(c jobs.Call) int64 {
		t.Helper()
		made, err := q.Submit(t.Context(), []jobs.Call{c})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := q.Cancel(t.Context(), made[0].Job); err != nil {
			t.Fatal(err)
		}
		return made[0].Job
	}
	call := jobs.Call{Command: []string{"audit"}, Directory: "/", By: "x", Queue: "audit", Priority: 1, Attempts: 1}
	id := cancelled(call)
	call.Queue = Queue
	cancelled(call)
	look()
	look()
	all, err := q.List(t.Context(), jobs.Query{States: []jobs.State{jobs.Waiting}, Limit: 10})
	if err != nil || len(all) != 1 || !slices.Equal(all[0].Command, []string{Queue, "a", strconv.FormatInt(id, 10)}) ||
		all[0].Attempts != Attempts || all[0].Queue != Queue {
		t.Errorf("%+v, %v", all, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f.Follow(ctx) // ends
}
