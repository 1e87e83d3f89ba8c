package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quire/oai/check"
	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/provider/providertest"
)

func TestOAICheck(t *testing.T) {
	records := providertest.New()
	records.Put(protocol.Header{Identifier: "urn:x:1", Datestamp: time.Now().Add(-time.Hour)})
	good := providertest.Serve(t, records, provider.Options{})
	status, out, _ := call(t, "oai", "check", good)
	if status != exitGood || !strings.Contains(out, "Records of a test, "+good) ||
		!strings.Contains(out, "nothing is wrong") {
		t.Errorf("%d %s", status, out)
	}
	records.Put(protocol.Header{Identifier: "urn:x:2", Datestamp: time.Now().Add(time.Hour)})
	status, out, _ = call(t, "oai", "check", good)
	if status != exitContent || !strings.Contains(out, "error   OAI-FUTURE: record urn:x:2 has the datestamp") ||
		!strings.Contains(out, "errors, 0 warnings") {
		t.Errorf("%d %s", status, out)
	}
	status, out, _ = call(t, "oai", "check", "--json", good)
	var r check.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != exitContent || len(r.Findings) == 0 ||
		r.Findings[0].Code != "OAI-FUTURE" || r.Findings[0].Clause != "2.7.1" {
		t.Errorf("%v %d %s", err, status, out)
	}
	status, out, _ = call(t, "explain", "oai-future")
	if status != exitGood || !strings.Contains(out, "OAI-FUTURE (error, about an OAI-PMH server)") {
		t.Errorf("%d %s", status, out)
	}
	away := httptest.NewServer(http.NotFoundHandler())
	if status, out, _ := call(t, "oai", "check", away.URL); status != exitContent ||
		!strings.Contains(out, "OAI-STATUS") {
		t.Errorf("%d %s", status, out)
	}
	away.Close()
	for _, args := range [][]string{{"oai", "check", "--requests", "0", good}, {"oai", "check"},
		{"oai", "check", "ftp://a.example"}, {"oai", "check", "--schemas", t.TempDir(), good}} {
		if status, out, _ := call(t, args...); status != exitCall {
			t.Errorf("%q: %d %s", args, status, out)
		}
	}
}
