package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestCat reads a bytestream by its ID, and checks the statuses and the text that a person sees.
func TestCat(t *testing.T) {
	workplace(t)
	if status, out, errs := call(t, "pack", "crawl", "--out", "p"); status != 0 {
		t.Fatal(out, errs)
	}
	for _, step := range []struct {
		args   string
		status int
		want   string // the complete output, or a part of the error message
	}{
		{"cat p FILE-c1", 0, container},
		{"cat p FILE-c1 --decoded", 0, container},
		{"cat p FILE-l1", 0, "log\n"},
		{"cat p FILE-c2", 2, "\"quire cat p --list\" lists all IDs"},
		{"cat p", 2, "which file?"},
		{"cat p --json FILE-c1", 2, "--json is for --list"},
		{"cat p --list --decoded", 2, "leave out --decoded"},
		{"cat p --list FILE-c2", 2, "no file element has this ID"},
		{"cat crawl FILE-c1", 2, "package: mets.xml is missing"},
		{"cat nowhere FILE-c1", 2, "package folder nowhere is missing"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || status == 0 && (out != step.want || errs != "") || status != 0 &&
			!strings.Contains(errs, step.want) {
			t.Errorf("%s: status %d, want %d with %q:\n%s%s", step.args, status, step.status, step.want, out, errs)
		}
	}
	_, out, _ := call(t, "cat", "p", "--list")
	if lines := strings.Split(out, "\n"); len(lines) != 5 || !strings.HasPrefix(lines[0], "id ") ||
		!strings.HasSuffix(lines[1], " containers/a.warc") ||
		!strings.Contains(lines[2], "FILE-l1") || !strings.HasSuffix(lines[3], " indexes/a.warc.cdxj.gz") {
		t.Errorf("%s", out)
	}
	_, out, _ = call(t, "cat", "p", "--list", "--json", "FILE-l1")
	var got struct {
		ID, Use, Name, Path string
		Size                int64
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.ID != "FILE-l1" || got.Use == "" ||
		got.Name != "logs/crawl.log" || got.Size != 4 {
		t.Errorf("%+v, %v, of %s", got, err, out)
	}
	if err := os.WriteFile("p/containers/a.warc", []byte(container+"x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, out, errs := call(t, "cat", "p", "FILE-c1"); status != 1 || out != container+"x" ||
		!strings.Contains(errs, "FILE-c1: "+
			fmt.Sprintf("has %d bytes; mets.xml says %d", len(container)+1, len(container))) {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}

// TestListInBlocks: a long list is complete, and an output that fails is reported.
func TestListInBlocks(t *testing.T) {
	var out strings.Builder
	s := &terminal{out: &out, raw: &out}
	const lines = 10_000
	list := func() error {
		for range lines {
			s.columns([]int{0}, "a line of the list")
		}
		return s.failed
	}
	if err := s.inBlocks(list); err != nil || strings.Count(out.String(), "a line of the list\n") != lines {
		t.Errorf("%v, %d bytes", err, out.Len())
	}
	s.out = fullDisk{}
	if err := s.inBlocks(func() error { s.columns([]int{0}, "short"); return nil }); err == nil || s.failed == nil {
		t.Errorf("%v, %v: the output failed", err, s.failed)
	}
}

type fullDisk struct{}

// Write implements io.Writer.
func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }
