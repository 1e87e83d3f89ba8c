//go:build interop

package links

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/pack"
)

// samples are containers of crawls, by several crawlers, with pages of several decades.
var samples = []string{
	"_made/crawls/wget-large/python311-docs.warc.gz",
	"netarchivesuite_jwat/jwat-gzip/IAH-20080430204825-00000-blackbook.warc.gz",
	"netarchivesuite_jwat/jwat-arc/IAH-20080430204825-00000-blackbook.arc.gz",
	"ukwa_webarchive-discovery/gov.uk-revisit-warcs/BL-20140325121225068-00000-32090~opera~8443.warc.gz",
	"webrecorder_pywb/warcs/iana.warc.gz",
	"netarchivesuite_netarchivesuite/history/wayback/wayback-resourcestore/test/testdata/archive/arcfile_withr" +
		"edirects.arc",
	"chatnoir-eu_chatnoir-resiliparse/clueweb-quirk.warc.gz", "_made/crawls/wacz/wget-devref.wacz",
	"_made/crawls/httrack/devref.tar.gz",
	"internetarchive_CDX-Writer/uncompressed.arc", "iipc_openwayback/history/warcs/sopa-wikipedia-homepage.warc.gz",
	"netarchivesuite_netarchivesuite/history/common/utils/cdx/data/input/42-23-20060726143926-00000-udvikling." +
		"kb.dk.arc.gz",
}

// place is the position of a link: the record of a container, and the bytes of its start tag.
type place struct {
	page       string // container and order
	begin, end string
}

func TestLinksStandWhereHTMLParserFindsThem(t *testing.T) {
	total := 0
	for _, sample := range samples {
		out := filepath.Join(t.TempDir(), "package")
		_, err := pack.Pack(context.Background(), []string{testsamples.Path(t, "samples", filepath.FromSlash(sample))},
			pack.Options{Out: out, METS: pack.Single, Profile: pack.Linked,
				Agent: model.Agent{Name: "Quire", Version: "test"}})
		if err != nil {
			t.Fatal(err)
		}
		ours, files := ofMETS(t, out)
		theirs := ofPython(t, out, files, ours)
		for page, want := range theirs {
			got := ours[page]
			total += len(want)
			if slices.Equal(got, want) {
				continue
			}
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Errorf("%s, %s: %d links, html.parser has %d; the first that differs is %d: %v, %v", sample, page,
						len(got), len(want), i, got[i:min(i+1, len(got))], want[i:min(i+1, len(want))])
					break
				}
			}
		}
		t.Logf("%s: %d pages with links", sample, len(theirs))
	}
	if t.Logf("%d links", total); total < 250_000 {
		t.Errorf("only %d links were compared", total)
	}
}

var (
	isFile = regexp.MustCompile(`<mets:file ID="(FILE-c\d+)" `)
	isHref = regexp.MustCompile(`xlink:href="(containers/[^"]*)"`)
	isDiv  = regexp.MustCompile(`<mets:div .*TYPE="([a-z ]*)"`)
	isPage = regexp.MustCompile(`<mets:fptr FILEID="(FILE-c\d+)-[bs](\d+)"`)
	isArea = regexp.MustCompile(`<mets:area FILEID="(FILE-c\d+)-[bs](\d+)" BEGIN="(\d+)" END="(\d+)" BETYPE="BYTE"`)
)

// ofMETS reads the links of each page in a METS, and the containers by their IDs. It parses the
// lines of the document and uses no code of Quire.
func ofMETS(t *testing.T, pkg string) (links map[string][]place, files map[string]string) {
	t.Helper()
	f, err := os.Open(filepath.Join(pkg, aip.METSName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	links, files = map[string][]place{}, map[string]string{}
	file, kind := "", ""
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		line := lines.Text()
		if m := isFile.FindStringSubmatch(line); m != nil {
			file = m[1]
		}
		if m := isHref.FindStringSubmatch(line); m != nil && files[file] == "" {
			files[file] = m[1]
		}
		if m := isDiv.FindStringSubmatch(line); m != nil {
			kind = m[1]
		}
		if m := isPage.FindStringSubmatch(line); m != nil && kind == "web page" {
			links[m[1]+"-"+m[2]] = nil
		}
		if m := isArea.FindStringSubmatch(line); m != nil && kind != "refresh" {
			page := m[1] + "-" + m[2]
			links[page] = append(links[page], place{page, m[3], m[4]})
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return links, files
}

// ofPython has html.parser find the links of those pages.
func ofPython(t *testing.T, pkg string, files map[string]string, pages map[string][]place) map[string][]place {
	t.Helper()
	var names []string
	ids := map[string]string{}
	for id, name := range files {
		path := filepath.Join(pkg, filepath.FromSlash(name))
		names, ids[path] = append(names, path), id
	}
	links := map[string][]place{}
	file, page := "", ""
	for line := range strings.Lines(peers.Python(t, "anchors.py", names)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch cells[0] {
		case "file":
			file = ids[cells[1]]
		case "page":
			page = fmt.Sprintf("%s-%s", file, cells[1])
			if _, is := pages[page]; is {
				links[page] = nil
			}
		case "link":
			if _, is := pages[page]; is {
				links[page] = append(links[page], place{page, cells[1], cells[2]})
			}
		case "complaint":
			t.Errorf("%s: %s", file, cells[1])
		}
	}
	for page, ours := range pages {
		if _, shown := links[page]; !shown && len(ours) > 0 {
			t.Errorf("%s: html.parser was not shown it", page)
		}
	}
	return links
}
