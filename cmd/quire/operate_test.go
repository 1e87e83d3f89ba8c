package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestToken makes, lists and ends a token.
func TestToken(t *testing.T) {
	workplace(t)
	if status, _, errs := call(t, "init", "repo"); status != exitGood {
		t.Fatal(errs)
	}
	if status, out, _ := call(t, "token", "list", "--repo", "repo"); status != exitGood ||
		!strings.Contains(out, "no token yet") {
		t.Errorf("%d %s", status, out)
	}
	status, text, errs := call(t, "token", "add", "Ada", "--role", "operator,curator", "--repo", "repo")
	if status != exitGood || !strings.HasPrefix(text, "quire_T1_") || !strings.Contains(errs, "only time") {
		t.Fatalf("%d %s %s", status, text, errs)
	}
	status, out, _ := call(t, "token", "add", "Bo", "--role", "reader", "--valid", "1d", "--repo", "repo", "--json")
	if status != exitGood || !strings.Contains(out, `"token":"quire_T2_`) {
		t.Errorf("%d %s", status, out)
	}
	for _, c := range []struct{ args, want string }{{"token revoke T2 --repo repo", "revoked T2, of Bo"},
		{"token list --repo repo", "curator,operator"}, {"token list --repo repo --json", `"revoked":"`}} {
		status, out, _ := call(t, strings.Fields(c.args)...)
		if status != exitGood || !strings.Contains(out, c.want) || strings.Contains(out, strings.TrimSpace(text)) {
			t.Errorf("%s: %d %s", c.args, status, out)
		}
	}
	for args, want := range map[string]string{"token revoke T9 --repo repo": "no such token",
		"token add x --role admin --repo repo": "no role", "token add x --repo repo": "--role",
		"serve --repo repo --log-format json": "--operate", "token list": "no repository"} {
		if status, _, errs := call(t, strings.Fields(args)...); status != exitCall || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", args, status, errs)
		}
	}
}

var serviceAt = regexp.MustCompile(`service for operators on (http://\S+)`)

// TestOperate submits a job by the service, and a worker runs it.
func TestOperate(t *testing.T) {
	workplace(t)
	if err := os.MkdirAll("deliveries", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("operate.yaml", []byte("folders: [deliveries]\nreports: deliveries\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := call(t, "init", "repo"); status != exitGood {
		t.Fatal(errs)
	}
	folder := filepath.Join("deliveries", "package")
	if status, _, errs := call(t, "pack", "crawl", "--out", folder); status != exitGood {
		t.Fatal(errs)
	}
	_, text, _ := call(t, "token", "add", "Ada", "--role", "operator", "--repo", "repo")
	ctx, stop := context.WithCancel(t.Context())
	read, write := io.Pipe()
	done := make(chan int, 1)
	go func() {
		var out bytes.Buffer
		done <- run(ctx, []string{"serve", "--repo", "repo", "--listen", "127.0.0.1:0", "--operate", "127.0.0.1:0",
			"--operate-config", "operate.yaml", "--log-format", "json"}, &out, write)
		_ = write.Close()
	}()
	defer func() {
		stop()
		if status := <-done; status != exitGood {
			t.Errorf("status %d", status)
		}
	}()
	lines := bufio.NewScanner(read)
	base := ""
	for base == "" && lines.Scan() {
		if found := serviceAt.FindStringSubmatch(lines.Text()); found != nil {
			base = found[1]
		}
	}
	go func() {
		for lines.Scan() { // the log goes on
		}
	}()
	ask := func(method, path, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(text))
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		got, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(got)
	}
	for _, c := range []struct {
		body   string
		status int
		want   string
	}{
		{`{"kind": "ingest", "arguments": ["package"]}`, 201, `"job":1`},
		{`{"kind": "ingest", "arguments": ["../crawl"]}`, 422, "not in a folder"},
		{`{"kind": "audit", "flags": {"sample": "nothing"}}`, 422, "nothing"},
		{`{"kind": "audit", "arguments": ["{}"], "select": "nonsense("}`, 422, "the selection"},
	} {
		if status, got := ask("POST", "/api/v1/jobs", c.body); status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s: %d %s", c.body, status, got)
		}
	}
	if status, _, errs := call(t, "work", "--drain", "--repo", "repo"); status != exitGood {
		t.Fatal(errs)
	}
	status, got := ask("GET", "/api/v1/jobs/1", "")
	var job struct {
		State, By string
		Command   []string
	}
	if err := json.Unmarshal([]byte(got), &job); err != nil || status != 200 || job.State != "done" ||
		job.By != "Ada" || job.Command[0] != "ingest" {
		t.Errorf("%d %s", status, got)
	}
	if status, got := ask("GET", "/api/v1/packages", ""); status != 200 || !strings.Contains(got, `"status":"good"`) {
		t.Errorf("%d %s", status, got)
	}
}
