package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const arcBlock = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello"

var arcFile = "filedesc://a.arc 0.0.0.0 20040721232940 text/plain 77\n1 0 InternetArchive\n" +
	"URL IP-address Archive-date Content-type Archive-length\n\n" +
	fmt.Sprintf("http://a.example/ 10.0.0.1 20040721232941 text/html %d\n%s\n", len(arcBlock), arcBlock)

// TestConvert converts an ARC to a WARC, verifies it, and restores the ARC.
func TestConvert(t *testing.T) {
	workplace(t)
	for name, content := range map[string]string{"old/a.arc": arcFile,
		"wrong.arc": strings.Replace(arcFile, "hello", "hullo", 1), "damaged.arc": arcFile[:len(arcFile)-4]} {
		if err := os.MkdirAll("old", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		args   string
		status int
		want   string
	}{
		{"convert", 2, "source"},
		{"convert old", 2, "--out"},
		{"convert absent --out n", 2, "check the path"},
		{"convert nothing --out n --report none.jsonl", 1, "no container and no mirror in nothing that"},
		{"convert old --out n --report report.jsonl", 0, "becomes a.warc.gz: 2 records"},
		{"convert old --out n", 2, "not empty"},
		{"convert old --out m --json", 0, `"arcs":[{"source":"a.arc","output":"a.warc.gz","records":2,`},
		{"convert old --out o --report report.jsonl", 2, "report.jsonl"},
		{"convert crawl --out w", 0, "WARC already, copied as found: 1 file"},
		{"convert --verify old/a.arc n/a.warc.gz", 0, "holds all of old/a.arc: 2 records"},
		{"convert --verify old/a.arc n/a.warc.gz --json", 0, `"sound":true,"records":2`},
		{"convert --verify wrong.arc n/a.warc.gz", 1, "is not wrong.arc"},
		{"convert --verify old/a.arc", 2, "verify takes an ARC and the WARC"},
		{"convert verify old/a.arc n/a.warc.gz", 0, "holds all of old/a.arc: 2 records"},
		{"convert verify wrong.arc n/a.warc.gz --json", 1, ""},
		{"convert verify old/a.arc", 2, "the argument <warc> is missing"},
		{"convert restore n/a.warc.gz", 2, "the flag --out=FILE is missing"},
		{"convert restore n/a.warc.gz --out once.arc", 0, "restored once.arc: 2 records"},
		{"convert --restore n/a.warc.gz", 2, "--out"},
		{"convert --restore n/a.warc.gz --out back.arc", 0, "restored back.arc: 2 records"},
		{"convert --restore n/a.warc.gz --out back.arc", 2, "back.arc"},
		{"convert --verify --restore old/a.arc n/a.warc.gz --out again.arc --json", 0, `"out":"again.arc"`},
		{"convert --restore crawl/a.warc --out x.arc", 1, "not a complete WARC file that this conversion made " +
			"from an ARC file"},
		{"pack old --out p --keep-original always", 0, "1 made by normalizing, 1 file of the originals kept"},
		{"pack damaged.arc --out r", 1, "  damaged     its original: 2 findings, the first: error   ARC-TRUNCATED"},
		{"identify-source old --dump absent.sql", 2, "absent.sql"},
		{"pack old --out q --keep-original sometimes", 2, "--keep-original"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, want %d with %q\n%s%s", step.args, status, step.status, step.want, out, errs)
		}
	}
	if _, err := os.Stat("none.jsonl"); !os.IsNotExist(err) {
		t.Errorf("nothing was made, and a report is left: %v", err)
	}
	for name, want := range map[string]string{"back.arc": arcFile, "again.arc": arcFile} {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	one, _ := os.ReadFile("n/a.warc.gz")
	two, _ := os.ReadFile("m/a.warc.gz")
	if string(one) != string(two) || len(one) == 0 {
		t.Error("converted twice, the WARC differs")
	}
	if _, err := os.Stat("x.arc"); err == nil {
		t.Error("x.arc is there, though it could not be restored")
	}
	if report, err := os.ReadFile("report.jsonl"); err != nil || !strings.Contains(string(report), `"file":"a.arc"`) {
		t.Errorf("the report is %s, %v", report, err)
	}
}
