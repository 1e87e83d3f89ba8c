//go:build interop

package rewrite

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quire/access/rewrite"
	"quire/format/charset"
	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// samples are containers of crawls, by several crawlers, with pages of several decades.
var samples = []string{
	"_made/crawls/wget-large/python311-docs.warc.gz",
	"netarchivesuite_jwat/jwat-gzip/IAH-20080430204825-00000-blackbook.warc.gz",
	"ukwa_webarchive-discovery/gov.uk-revisit-warcs/BL-20140325121225068-00000-32090~opera~8443.warc.gz",
	"webrecorder_pywb/warcs/iana.warc.gz",
	"netarchivesuite_netarchivesuite/history/wayback/wayback-resourcestore/test/testdata/archive/arcfile_withr" +
		"edirects.arc",
	"chatnoir-eu_chatnoir-resiliparse/clueweb-quirk.warc.gz", "internetarchive_CDX-Writer/uncompressed.arc",
	"iipc_openwayback/history/warcs/sopa-wikipedia-homepage.warc.gz",
	"netarchivesuite_netarchivesuite/history/common/utils/cdx/data/input/42-23-20060726143926-00000-udvikling." +
		"kb.dk.arc.gz",
}

// The classes of differences that would be our errors: none may occur.
var faults = []string{"PAGE: our tags are not those of the page", "only theirs leads into the replay"}

func TestPywbRewritesTheSamePages(t *testing.T) {
	folder := t.TempDir()
	most, least := 60, 200 // pages of a sample, and of all
	if os.Getenv("QUIRE_PAGES") == "all" {
		most, least = 400, 500 // as counted in docs/reference/550_rewriting.md; takes minutes
	}
	var lines []string
	for _, sample := range samples {
		lines = append(lines, fmt.Sprintf("%s\t%d\t%s", testsamples.Path(t, "samples", filepath.FromSlash(sample)),
			most, folder))
	}
	var pages []string
	var size int64
	for line := range strings.Lines(peers.Python(t, "pages.py", lines)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if cells[0] == "unread" {
			t.Log(line)
			continue
		}
		path, kind, url, contentType := cells[0], cells[1], cells[2], cells[3]
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rw := rewrite.Rewriter{Base: url, ContentType: contentType, URL: func(kind rewrite.Kind, url string) string {
			return "/all/20150102030405" + string(kind) + "/" + url
		}}
		what := map[string]rewrite.What{"html": rewrite.HTML, "css": rewrite.CSS}[kind]
		var made bytes.Buffer
		if err := rw.Rewrite(&made, bytes.NewReader(body), what); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+".ours", made.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		found, _ := charset.Sniff(body, contentType, false) // "" if undeclared
		pages, size = append(pages, strings.Join([]string{path, kind, url, found.Name}, "\t")), size+int64(len(body))
	}
	t.Logf("%d pages and style sheets, %d MB", len(pages), size>>20)
	if len(pages) < least {
		t.Errorf("only %d pages were compared", len(pages))
	}
	counts, examples := map[string]int{}, map[string][]string{}
	for line := range strings.Lines(peers.Python(t, "compare.py", pages)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch cells[0] {
		case "count":
			n, err := strconv.Atoi(cells[3])
			if err != nil {
				t.Fatal(err)
			}
			counts[cells[1]] += n
			examples[cells[1]] = append(examples[cells[1]], fmt.Sprintf("%s %d", cells[2], n))
		case "example":
			examples[cells[1]] = append(examples[cells[1]], strings.Join(cells[2:], "  |  "))
		}
	}
	for _, class := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%7d  %s\n\t%s", counts[class], class, strings.Join(examples[class], "\n\t"))
	}
	for _, class := range faults {
		if counts[class] > 0 {
			t.Errorf("%s: %d", class, counts[class])
		}
	}
}
