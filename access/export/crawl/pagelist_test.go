package crawl

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"quire/access/export"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// TestPagesOfAllContainers: pages come in the order of their records, also if some of them cannot be
// read while they are copied (here, those of a container without compression).
func TestPagesOfAllContainers(t *testing.T) {
	r := holdingstest.New(t)
	containers := map[string]string{}
	for i, name := range []string{"a.warc.gz", "b.warc", "c.warc.gz"} {
		text := holdingstest.Response(fmt.Sprint(i), fmt.Sprintf("http://a.example/%d", i),
			fmt.Sprintf("2015-01-02T03:04:0%dZ", 9-i), "text/html",
			fmt.Sprintf("<title>Page %d</title><p>Text %d", i, i))
		if containers[name] = text; strings.HasSuffix(name, ".gz") {
			containers[name] = zipped(t, text)
		}
	}
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open", Containers: containers})
	file, _ := run(t, r, r.Open(holdings.Options{}), export.Request{ID: "site-1", As: "wacz"})
	z := openWACZ(t, file)
	var got []string
	for line := range strings.Lines(z.read("pages/pages.jsonl")) {
		var p struct{ ID, URL, Title, Text string }
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		got = append(got, p.ID+" "+p.URL+" "+p.Title+" "+p.Text)
	}
	want := []string{"pages  All Pages ", "page-1 http://a.example/0 Page 0 Text 0",
		"page-2 http://a.example/1 Page 1 Text 1", "page-3 http://a.example/2 Page 2 Text 2"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", got, want)
	}
	var about struct {
		Main string `json:"mainPageUrl"`
	}
	err := json.Unmarshal([]byte(z.read("datapackage.json")), &about)
	if err != nil || about.Main != "http://a.example/2" {
		t.Errorf("%v, %v", about, err)
	}
}
