package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestMigrate migrates a package, with the statuses and the text that a person sees.
func TestMigrate(t *testing.T) {
	workplace(t)
	resource := func(id int, media, body string) string {
		return fmt.Sprintf("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:m%d>\r\nWARC-Target-URI: "+
			"http://a.org/%d\r\nWARC-Date: 1996-01-01T00:00:00Z\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"+
			"%s\r\n\r\n",
			id, id, media, len(body), body)
	}
	bitmap := "#define a_width 8\n#define a_height 1\nstatic char a_bits[] = { 0x01 };\n"
	for name, content := range map[string]string{
		"old.warc": container + resource(1, "image/x-xbitmap", bitmap) +
			resource(2, "text/html", "<meta charset=latin1>\xe4"),
		"torn.warc": container + resource(1, "image/x-xbitmap", bitmap) + resource(2, "image/x-xbitmap", bitmap[:50]),
		"all.yaml":  "id: all\ntitle: All\nharvests:\n  - packages: [old]\n",
		"rule.yaml": "name: x\nform: image/gif\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"pack old.warc --out old", 0, "packed"},
		{"pack torn.warc --out torn", 0, "packed"},
		{"migrate old --from image/x-xbitmap --using xbm-to-png --out png --date 2026-01-02T03:04:05Z", 0,
			"1 of 1 bytestream converted by the rule xbm-to-png"},
		{"validate png", 0, "png: valid"},
		{"cat png FILE-c2-b2", 0, "\x89PNG"},
		{"migrate png --using html-to-utf8 --out both --jobs 2", 0,
			`from windows-1252, as "latin1" is read, by its meta element`},
		{"validate both", 0, "both: valid"},
		{"migrate torn --using xbm-to-png --out most --json", 1, `"selected":2,"converted":1,"failed":1`},
		{"validate most", 0, "most: valid"},
		{"migrate torn --using xbm-to-png --out most2", 1, "there is no array of bits"},
		{"migrate old --using gif-to-png --out gif", 1, "nothing to migrate"},
		{"migrate old --using gif-to-png --out gif --json", 1, `"selected":0,"converted":0`},
		{"pack --collection all.yaml --out all", 0, "all"},
		{"migrate all --using gif-to-png --out gif", 2, "migrate its packages"},
		{"migrate old --from fmt/4 --using xbm-to-png --out gif", 2, "does not take fmt/4"},
		{"migrate old --using rule.yaml --out gif", 2, "line 2, form: unknown key"},
		{"migrate old --using nothing.yaml --out gif", 2, "gif-to-png, html-to-utf8, xbm-to-png"},
		{"migrate old --using xbm-to-png --out png", 2, "not empty"},
		{"migrate crawl --using xbm-to-png --out gif", 2, "mets.xml is missing"},
	} {
		var out, complaint bytes.Buffer
		status := run(context.Background(), strings.Fields(step.args), &out, &complaint)
		if said := out.String() + complaint.String(); status != step.status || !strings.Contains(said, step.want) {
			t.Errorf("quire %s: status %d, %s", step.args, status, said)
		}
	}
	if _, err := os.Stat("gif"); err == nil {
		t.Error("a call that failed left something")
	}
}
