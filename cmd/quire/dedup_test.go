package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"quire/preserve/dedup"
)

// TestDedup removes duplicates from a stored crawl and restores them, with the possible errors.
func TestDedup(t *testing.T) {
	workplace(t)
	response := func(id, date, body string) string {
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Target-URI: "+
			"http://a.org/%s\r\nWARC-Date: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: "+
			"%d\r\n\r\n%s\r\n\r\n",
			id, id, date, len(block), block)
	}
	put := func(name, content string) {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("old.warc", container+response("a", "2023-01-01T00:00:00Z", "the same"))
	put("new.warc", container+response("b", "2024-01-01T00:00:00Z", "the same")+
		response("c", "2024-01-02T00:00:00Z", "another"))
	put("list.cdx",
		" CDX N b a m s k r M S V g\norg,a)/a 20230101000000 http://a.org/a text/html 200 sha1:XXXX - - 1 1 old.warc\n")
	put("old.arc", "filedesc://old.arc 0.0.0.0 20200101000000 text/plain 9\n1 0 Boat\n\n")
	put("viral.txt", "<urn:x:b>\n")
	if err := os.Mkdir("elsewhere", 0o777); err != nil {
		t.Fatal(err)
	}
	put("elsewhere/crawl.log",
		"2024-01-02T03:04:05.000Z 200 8 http://a.org/b - - text/html #1 20240102030405000+3 - - -\n")
	if status, out, errs := call(t, "pack", "new.warc", "elsewhere/crawl.log", "--out", "with"); status != 0 ||
		!strings.Contains(out, "harvest     heritrix") || strings.Contains(out+errs, "not read") {
		t.Errorf("the log is no part of the harvest: %d %s%s", status, out, errs)
	}
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"dedup new.warc --against old.warc --out slim --report slim.json", 0, "1 became revisits"},
		{"dedup new.warc elsewhere/crawl.log --against old.warc --out with-log", 0, "1 other file of the harvest"},
		{"dedup slim --undo --against old.warc --out full", 0, "1 are full records again"},
		{"dedup undo slim --against old.warc --out full2", 0, "1 are full records again"},
		{"dedup slim --undo --out lost", 1, "no record with its payload was found"},
		{"dedup new.warc --against list.cdx --out by-index", 0, "0 became revisits"},
		{"dedup new.warc --against old.warc --viral viral.txt --out healthy", 0,
			"viral: the list names its id or digest"},
		{"dedup new.warc --within --out within --json", 0, `"not-stored":2`},
		{"dedup crawl --annotations --out annotated", 0, "0 containers in annotated"},
		{"dedup new.warc --out nothing", 2, "--against"},
		{"dedup new.warc --against absent --out nothing", 2, "absent"},
		{"dedup new.warc --against nothing --out nothing2", 1, "no ARC or WARC file"},
		{"dedup new.warc --undo --annotations --out nothing", 2, "one at a time"},
		{"dedup new.warc --against old.warc --viral new.warc --out nothing2", 2,
			"line 1 is neither a record id nor a digest"},
		{"dedup old.arc --against old.warc --out nothing2", 2, "convert it first"},
		{"dedup bad.warc --within --out damaged", 1, "0 became revisits"},
		{"dedup new.warc --against old.warc --out slim", 2, "not empty"},
		{"init repo", 0, "repository"},
		{"pack old.warc --out package", 0, "packed"},
		{"ingest package --repo repo", 0, "stored"},
		{"dedup new.warc --against repo --out by-repo", 0, "1 became revisits"},
		{"dedup by-repo --undo --against repo --out from-repo", 0, "1 are full records again"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, want %d, and %q in\n%s%s", step.args, status, step.status, step.want, out,
				errs)
		}
	}
	was, _ := os.ReadFile("new.warc")
	for _, name := range []string{"full/new.warc", "from-repo/new.warc"} {
		if is, err := os.ReadFile(name); err != nil || string(is) != string(was) {
			t.Errorf("%s is otherwise (%v)", name, err)
		}
	}
	text, err := os.ReadFile("slim.json")
	var r dedup.Report
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil || r.Replaced != 1 || r.Event.Type != "deduplication" || len(r.Event.Results) != 1 ||
		r.Event.Sources[0].SHA512 == "" || r.Event.Agent != "Quire" {
		t.Errorf("%v: %s", err, text)
	}
}
