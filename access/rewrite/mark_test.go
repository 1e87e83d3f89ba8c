package rewrite

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestMarkIsBounded checks that the address that marks scripts bounds their length and number.
func TestMarkIsBounded(t *testing.T) {
	assets := Assets("/")
	ask := func(body io.Reader) (status int, text string) {
		w := httptest.NewRecorder()
		assets.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/-/quire/mark", body))
		return w.Code, w.Body.String()
	}
	if status, text := ask(strings.NewReader("top.x")); status != http.StatusOK || text != "quire$top.x" {
		t.Errorf("status %d: %s", status, text)
	}
	long := strings.NewReader(strings.Repeat(" ", maxMarked) + "top")
	if status, _ := ask(long); status != http.StatusRequestEntityTooLarge || maxMarked > 512<<10 {
		t.Errorf("a script of more than %d bytes: status %d", maxMarked, status)
	}

	var senders []*io.PipeWriter
	done := make(chan int)
	for range cap(marking) { // slow clients take all places
		r, w := io.Pipe()
		senders = append(senders, w)
		go func() {
			status, _ := ask(r)
			done <- status
		}()
	}
	for len(marking) < cap(marking) {
		time.Sleep(time.Millisecond)
	}
	if status, _ := ask(strings.NewReader("top")); status != http.StatusServiceUnavailable {
		t.Errorf("one script too many: status %d", status)
	}
	for _, w := range senders {
		_ = w.Close()
		if status := <-done; status != http.StatusOK {
			t.Errorf("a slow client: status %d", status)
		}
	}
	if status, _ := ask(strings.NewReader("top")); status != http.StatusOK {
		t.Errorf("afterwards: status %d", status)
	}
}
