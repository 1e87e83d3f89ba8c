package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestContainerMD(t *testing.T) {
	workplace(t)
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"inspect --format containermd crawl", 0, `<cmd:warcInfoRecords number="1"`},
		{"inspect --format containermd --verbose crawl", 0, `<cmd:entry order="1" type="other" begin="0"`},
		{"inspect --format containermd --containermd-version 1.1 crawl", 0, "<cmd:encodingSoftwareName>Boat"},
		{"inspect --format containermd crawl", 0, "<cmd:creatingSoftwareName>Boat"},
		{"inspect --format containermd bad.warc", 1, "<cmd:outcome>invalid</cmd:outcome>"},
		{"inspect --format containermd text.txt", 1, "<cmd:outcome>not-a-container</cmd:outcome>"},
		{"inspect --format containermd crawl twin.warc", 2, "name a folder for the documents with --out"},
		{"inspect --format containermd --containermd-version 2 crawl", 2, "1.2"},
		{"inspect --out md crawl", 2, "--out is for --format containermd"},
		{"inspect --format containermd --out md crawl twin.warc", 0, ""},
		{"inspect --format containermd --out md crawl twin.warc", 2, "nothing is overwritten"},
		{"inspect --format containermd --out text.txt crawl", 2, "text.txt"},
		{"inspect --format containermd --out one crawl", 0, ""},
		{"inspect --format containermd --json crawl", 0, `"outcome":"valid"`},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, want %d and %q in\n%s%s", step.args, status, step.status, step.want, out,
				errs)
		}
	}
	for _, name := range []string{"md/crawl/a.warc.containermd.xml", "md/twin.warc.containermd.xml",
		"one/a.warc.containermd.xml"} {
		if doc, err := os.ReadFile(name); err != nil || !strings.HasSuffix(string(doc), "</cmd:containerMD>\n") {
			t.Errorf("%s: %v\n%s", name, err, doc)
		}
	}
	if left, err := filepath.Glob("md/.quire-*"); err != nil || len(left) != 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}
