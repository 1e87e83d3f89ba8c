package server

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quire/internal/accesscontrol"
	"quire/model"
	"quire/oai/archive"
	"quire/oai/config"
)

// A client without an access agreement is refused everywhere, and learns nothing else.
func TestOutsideTheAgreement(t *testing.T) {
	_, base := start(t, config.Config{
		Config:     accesscontrol.Config{Allow: []accesscontrol.Agreement{{Networks: []string{"192.0.2.0/24"}}}},
		Repository: archive.Settings{Unstated: model.Open},
	})
	for _, asked := range []string{"?verb=Identify", "?verb=ListRecords&metadataPrefix=oai_dc",
		bytesOf + "?identifier=x"} {
		status, said := get(t, base+asked)
		if status != http.StatusForbidden || strings.Count(said, "\n") > 1 || strings.Contains(said, "<") {
			t.Errorf("%s: %d %q", asked, status, said)
		}
	}
}

// The setting limits the requests processed at once. Some more wait, and the rest get 503.
func TestRequests(t *testing.T) {
	_, base := start(t, config.Config{Requests: 1, Repository: archive.Settings{Unstated: model.Open}})
	at, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := net.Dial("tcp", at.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = slow.Close() }() // no body to write
	const form = "verb=Identify"
	if _, err := fmt.Fprintf(slow,
		"POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n"+
			"Expect: 100-continue\r\n\r\n",
		at.Path, at.Host, len(form)); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(slow)
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	// It has a slot and waits for the form.
	const harvesters = 60
	statuses := make(chan int, harvesters)
	for range harvesters {
		go func() {
			r, err := http.Get(base + "?verb=Identify")
			if err != nil {
				t.Error(err)
				statuses <- 0
				return
			}
			_ = r.Body.Close()
			if r.StatusCode == http.StatusServiceUnavailable && r.Header.Get("Retry-After") == "" {
				t.Error("it is not said when to come again")
			}
			statuses <- r.StatusCode
		}()
	}
	later := 0
	for ; later < 10; later++ { // the queue has no room for more
		if status := <-statuses; status != http.StatusServiceUnavailable {
			t.Fatalf("status %d, while another has the only place", status)
		}
	}
	if _, err := fmt.Fprint(slow, form); err != nil {
		t.Fatal(err)
	}
	served := 0
	for range harvesters - later {
		if <-statuses == http.StatusOK {
			served++
		}
	}
	if served == 0 {
		t.Error("no waiting request was served")
	}
}
