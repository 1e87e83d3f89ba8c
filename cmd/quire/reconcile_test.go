package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A log of one line, without the content that it lists.
const loneLine = "2025-11-01T10:00:00.001Z 200 66 http://example.org/ - - text/html #001 20251101100000000+1 - - -\n"

func TestReconcile(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "logs", "crawl.log")
	if err := os.MkdirAll(filepath.Dir(log), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, []byte(loneLine), 0o666); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "all.jsonl")
	for _, c := range []struct {
		args   []string
		status int
		want   []string
	}{
		{[]string{dir}, exitContent, []string{"1 capture is lost", "http://example.org/",
			"the harvest has no containers"}},
		{[]string{"--json", "--max", "0", "--hosts", "0", "--list", list, dir}, exitContent,
			[]string{`"outcome":"lost"`, `"lost_captures":1`, `"examples":[]`, `"hosts":[]`}},
		{[]string{t.TempDir()}, exitContent, nil},
		{[]string{filepath.Join(dir, "nothing")}, exitCall, nil},
		{[]string{"--list", log, dir}, exitCall, nil},
	} {
		var out, errors bytes.Buffer
		if got := run(context.Background(), append([]string{"reconcile"}, c.args...), &out, &errors); got != c.status {
			t.Errorf("%q: status %d, want %d; %s%s", c.args, got, c.status, &out, &errors)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q: no %s in %s", c.args, want, &out)
			}
		}
	}
	b, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	var entry map[string]any
	if err := json.Unmarshal(b, &entry); err != nil || entry["url"] != "http://example.org/" ||
		entry["class"] != "lost" || entry["kind"] != "logged_without_record" {
		t.Errorf("%s: %v", b, err)
	}
}
