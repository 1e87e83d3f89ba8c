package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lonePage returns a container with one page that declares metadata.
func lonePage(t *testing.T) string {
	t.Helper()
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html lang=de><title>A &amp; \xfc</title><title>" +
		"B</title><meta name=author content=Me><a href=x></a>"
	path := filepath.Join(t.TempDir(), "a.warc")
	warc := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: "+
		"http://a.test/\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"+
		"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
	if err := os.WriteFile(path, []byte(warc), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDescribePages(t *testing.T) {
	page, damaged := lonePage(t), filepath.Join(t.TempDir(), "b.warc")
	if err := os.WriteFile(damaged, []byte("WARC/1.0\r\nWARC-Type: response\r\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		status int
		want   []string
	}{
		{page + " --pages", exitGood, []string{"http://a.test/\n", "title: A &amp; \ufffd", "language (html lang): de",
			"name author: Me", "1 link to a page", "left out: 1 titles", "1 page in 1 container"}},
		{"--pages --json " + page, exitGood,
			[]string{`"uri":"http://a.test/"`, `"text_base64":"`, `"source":"html lang"`,
				`{"containers":1,"records":1,"pages":1,"damaged":[]}`}},
		{damaged + " --pages", exitContent, []string{"b.warc is damaged"}},
		{t.TempDir() + " --pages", exitContent, []string{"0 pages in 0 containers"}},
		{"--pages", exitCall, nil},
		{"", exitCall, nil},
		{page + " --pages --sheet x.csv", exitCall, nil},
	} {
		var out, errors bytes.Buffer
		if got := run(context.Background(), append([]string{"describe"}, strings.Fields(c.args)...), &out,
			&errors); got != c.status {
			t.Errorf("%q: status %d, want %d; %s%s", c.args, got, c.status, &out, &errors)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q: no %s in %s", c.args, want, &out)
			}
		}
		for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			if strings.Contains(c.args, "--json") && !json.Valid([]byte(line)) {
				t.Errorf("%s is no JSON", line)
			}
		}
	}
}
