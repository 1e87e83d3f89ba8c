package main

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// TestNotify sends a test and the end of a job to a webhook, and one to a receiver that wants no more.
func TestNotify(t *testing.T) {
	workplace(t)
	status := http.StatusOK
	var got []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = append(got, r.Header.Get("webhook-id")+" "+string(body))
		w.WriteHeader(status)
	}))
	defer s.Close()
	key := base64.StdEncoding.EncodeToString([]byte("a key with more than 24 bytes"))
	for name, text := range map[string]string{"secret": "whsec_" + key,
		"operate.yaml": "webhooks:\n  desk: {url: \"" + s.URL + "\", secret-file: secret}\n",
		"bad.yaml":     "webhooks:\n  desk: {url: \"http://far.example/\", secret-file: secret, states: [gone]}\n",
		"far.yaml": "folders: [elsewhere]\nwebhooks:\n  other: {url: \"https://far.example/\", secret-file: none}\n" +
			"  desk: {url: \"" + s.URL + "\", secret-file: secret}\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if status, _, errs := call(t, "init", "repo"); status != exitGood {
		t.Fatal(errs)
	}
	if status, _, errs := call(t, "submit", "--repo", "repo", "audit"); status != exitGood {
		t.Fatal(errs)
	}
	for _, c := range []struct {
		args   string
		answer int
		exit   int
		says   string
		sent   string
	}{
		{"notify desk --operate-config operate.yaml --repo repo", http.StatusOK, exitGood, "sent", `test-`},
		{"notify desk --operate-config far.yaml --repo repo", http.StatusOK, exitGood, "sent", `test-`},
		{"notify desk --operate-config operate.yaml --repo repo --job 1", http.StatusOK, exitGood, "sent", `"job":1`},
		{"notify desk --operate-config operate.yaml --repo repo", http.StatusBadGateway, exitCall, "status 502",
			`test-`},
		{"notify desk --operate-config operate.yaml --repo repo", http.StatusGone, exitContent, "refused", `test-`},
		{"notify other --operate-config operate.yaml --repo repo", http.StatusOK, exitCall, "no webhook other", ""},
		{"notify desk --operate-config operate.yaml --repo repo --job 9", http.StatusOK, exitContent, "no such job",
			""},
		{"notify desk --operate-config bad.yaml --repo repo", http.StatusOK, exitCall, "no end of a job", ""},
	} {
		status, got = c.answer, nil
		exit, _, errs := call(t, strings.Fields(c.args)...)
		sent := strings.Join(got, "\n")
		if exit != c.exit || !strings.Contains(errs, c.says) || !strings.Contains(sent, c.sent) ||
			c.sent == "" && sent != "" {
			t.Errorf("%s: %d %s: sent %q", c.args, exit, errs, sent)
		}
	}
}
