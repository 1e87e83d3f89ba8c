//go:build interop

package oai

import (
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// TestFolder serves a site on disk and deletes some of its files.
func TestFolder(t *testing.T) {
	dir := website(t)
	p := serve(t, "", "crate", "serve", dir)
	p.wait(t, pages+1, 0)
	remove(t, dir, 7)
	p.wait(t, pages+1, 7)
	everyone(t, p, pages+1, 7)
}

// TestUpstream serves a site through the proxy. The proxy finds the pages by the links of the site.
func TestUpstream(t *testing.T) {
	dir := website(t)
	behind := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(behind.Close)
	p := serve(t, "find:\n  seeds: [/]\n  every: 1s\n", "crate", "serve", "--upstream", behind.URL)
	p.wait(t, pages+1, 0)
	remove(t, dir, 7)
	p.wait(t, pages+1, 7)
	everyone(t, p, pages+1, 7)
}

// TestRepository serves a repository: a package of two containers with a newer version of one
// container.
func TestRepository(t *testing.T) {
	quire, work := peers.Quire(t), t.TempDir()
	at := func(name string) string { return filepath.Join(work, name) }
	split := "_made/crawls/wget/wget-devref-split-0000%d.warc.gz"
	first, second := testsamples.Path(t, "samples", fmt.Sprintf(split, 0)),
		testsamples.Path(t, "samples", fmt.Sprintf(split, 1))
	peers.Call(t, nil, quire, "init", at("repo"))
	peers.Call(t, nil, quire, "pack", first, second, "--id", "urn:x-test:1", "--out", at("one"))
	peers.Call(t, nil, quire, "ingest", at("one"), "--repo", at("repo"))
	p := serve(t, "", "oai", "serve", "--unstated", "open", "--repo", at("repo"))
	before := p.all(t, "ListIdentifiers", "oai_dc")
	peers.Call(t, nil, quire, "pack", first, "--id", "urn:x-test:1", "--out", at("two"))
	peers.Call(t, nil, quire, "ingest", at("two"), "--new-version", "--repo", at("repo"))
	gone := map[string]bool{}
	for begun := time.Now(); len(gone) == 0; time.Sleep(100 * time.Millisecond) {
		if time.Since(begun) > 5*time.Minute {
			t.Fatal("the record missing in the new version is not deleted")
		}
		if !p.up() {
			continue
		}
		if found, _ := p.list(t, "ListIdentifiers", "oai_dc"); !slices.Contains(slices.Collect(maps.Values(found)),
			"deleted") {
			continue
		}
		for id, status := range p.all(t, "ListIdentifiers", "oai_dc") {
			if status == "deleted" {
				gone[id] = true
			}
		}
	}
	t.Logf("%d records, %d of them deleted", len(before), len(gone))
	everyone(t, p, len(before), len(gone))
}

// pages is the number of pages of the website, except the first.
const pages = 250

// website makes a website with links to all pages on its first page.
func website(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	links := &strings.Builder{}
	kinds := []struct{ ending, text string }{
		{".html",
			"<!DOCTYPE html><html lang=en><title>Page %d &amp; more</title><meta name=author content='A. Writer'><p>" +
				"Text."},
		{".txt", "text %d\n"},
		{".css", "p { margin: %dpx }\n"},
		{".js", "const n = %d\n"},
		{".svg", `<svg xmlns="http://www.w3.org/2000/svg" width="%d"/>`},
		{".bin", "\x00\x01\xff%d"},
	}
	for i := range pages {
		kind := kinds[i%len(kinds)]
		name := fmt.Sprintf("a folder/n°%d; $(x) 'q' & \"%d\"%s", i, i, kind.ending)
		write(t, filepath.Join(dir, name), fmt.Sprintf(kind.text, i))
		fmt.Fprintf(links, "<a href=\"/%s\">%d</a>\n", html.EscapeString((&url.URL{Path: name}).EscapedPath()), i)
	}
	write(t, filepath.Join(dir, "index.html"), "<!DOCTYPE html><html lang=en><title>First</title>\n"+links.String())
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// remove removes the first n files of the website's folder.
func remove(t *testing.T, dir string, n int) {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(dir, "a folder"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files[:n] {
		if err := os.Remove(filepath.Join(dir, "a folder", f.Name())); err != nil {
			t.Fatal(err)
		}
	}
}

// wait waits until the provider has the given numbers of records and deleted records.
func (p *provider) wait(t *testing.T, records, deleted int) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		found, gone := 0, 0
		if p.up() {
			listed, _ := p.list(t, "ListIdentifiers", "oai_dc")
			for _, status := range listed {
				found++
				if status == "deleted" {
					gone++
				}
			}
		}
		if found == records && gone == deleted {
			return
		}
		if time.Since(begun) > 5*time.Minute {
			t.Fatalf("%d records, %d of them deleted, after five minutes; want %d and %d", found, gone, records,
				deleted)
		}
	}
}
