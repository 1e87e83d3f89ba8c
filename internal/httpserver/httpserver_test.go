package httpserver

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestServe checks that an answer in progress is finished at the end, and that one that takes too
// long is cut.
func TestServe(t *testing.T) {
	for _, patient := range []bool{true, false} {
		ctx, end := context.WithCancel(context.Background())
		l, err := On("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		begun, goOn := make(chan bool), make(chan bool)
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			close(begun)
			select {
			case <-goOn:
				_, _ = io.WriteString(w, "done")
			case <-r.Context().Done():
			}
		})
		grace := time.Minute
		if !patient {
			grace = time.Millisecond
		}
		served := make(chan error, 1)
		go func() { served <- Serve(ctx, l, h, Options{Grace: grace}) }()
		got := make(chan string, 1)
		go func() {
			r, err := http.Get(URL(l))
			if err != nil {
				got <- "cut"
				return
			}
			text, _ := io.ReadAll(r.Body)
			_ = r.Body.Close()
			got <- string(text)
		}()
		<-begun
		end()
		want := "cut"
		if patient {
			want = "done"
			close(goOn)
		}
		if answer := <-got; answer != want {
			t.Errorf("got %q, want %q", answer, want)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	}
}

func TestURL(t *testing.T) {
	l, err := On(":0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // nothing was served
	if u := URL(l); strings.Contains(u, "//[::]") || strings.Contains(u, "//0.0.0.0") ||
		!strings.HasPrefix(u, "http://") {
		t.Error(u)
	}
	if _, err := On("nonsense"); err == nil || !strings.Contains(err.Error(), "127.0.0.1:8000") {
		t.Error(err)
	}
}
