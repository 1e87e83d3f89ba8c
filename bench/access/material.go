package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"quire/format/warc"
)

// often is the URL that has many captures.
const often = "http://often.example/"

// hosts is the number of hosts that share the pages.
const hosts = 50

// pageURL returns the URL of a page. The first page of each host is its front page.
func pageURL(i int) string {
	if i < hosts {
		return fmt.Sprintf("http://host-%02d.example/", i)
	}
	return fmt.Sprintf("http://host-%02d.example/section-%d/page-%d.html", i%hosts, i%7, i)
}

// word returns the nth word of an invented language.
func word(n int) string {
	const sounds = "bakedilomunaperiso tuvazehifokuwe"
	s := ""
	for n++; n > 0; n /= 16 {
		s += sounds[n%16*2 : n%16*2+2]
	}
	return strings.ReplaceAll(s, " ", "x")
}

// makePage writes a page of about 7 kB. Its words follow Zipf's distribution; its 40 links,
// pictures and style sheets use every way of writing a link.
func makePage(i int) []byte {
	r := rand.New(rand.NewPCG(uint64(i), 7)) //nolint:gosec // which words
	zipf := rand.NewZipf(r, 1.1, 4, 20_000)
	var b strings.Builder
	fmt.Fprintf(&b,
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Page %d of %s %s</title>\n", i,
		word(int(zipf.Uint64())), word(int(zipf.Uint64())))
	b.WriteString("<link rel=\"stylesheet\" href=\"/style/main.css\">\n<style>body { background: " +
		"url('/pic/back.png') }</style></head><body>\n<nav>")
	for k := range 20 {
		fmt.Fprintf(&b, "<a href=\"/section-%d/page-%d.html\" class=\"item\">%s</a> ", k%7, (i+k*50)%100_000, word(k))
	}
	b.WriteString("</nav>\n<main>\n")
	for k := range 10 {
		b.WriteString("<p>")
		for range 60 {
			b.WriteString(word(int(zipf.Uint64())))
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b,
			"<a href=\"%s?a=1&amp;b=%d\">more</a> <img src=\"../pic/%d.png\" alt=\"\" srcset=\"../pic/%d.png 1x, "+
				"/pic/%d.png 2x\"></p>\n", pageURL((i+k)%100_000), k, k, k, k+10)
	}
	b.WriteString("</main><footer>All the same on every page</footer></body></html>\n")
	return []byte(b.String())
}

// writeArchive writes the container. It holds the pages, captured one a minute, and the captures of
// one URL, one an hour; every third of these has a different text.
func writeArchive(path string, o options) error {
	f, err := os.Create(path) //nolint:gosec // in the folder to work in
	if err != nil {
		return err
	}
	out, err := warc.NewWriter(f, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		return err
	}
	n := 0
	response := func(url string, at time.Time, body []byte) error {
		n++
		head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n"+
			"Server: bench\r\n\r\n", len(body))
		_, _, err := out.WriteBytes([]warc.NameValue{
			{Name: "WARC-Type", Value: "response"},
			{Name: "WARC-Record-ID", Value: fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", n)},
			{Name: "WARC-Date", Value: warc.FormatDate(at)}, {Name: "WARC-Target-URI", Value: url},
			{Name: "Content-Type", Value: "application/http; msgtype=response"},
		}, append([]byte(head), body...))
		return err
	}
	begin := time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range o.pages {
		if err := response(pageURL(i), begin.Add(time.Duration(i)*time.Minute), makePage(i)); err != nil {
			return err
		}
	}
	for i := range o.captures {
		body := fmt.Appendf(nil, "<!DOCTYPE html><title>Often</title><p>Capture %d</p>", i/3)
		if err := response(often, begin.Add(time.Duration(i)*time.Hour), body); err != nil {
			return err
		}
	}
	return f.Close()
}

// makeRepository makes the archive unless an earlier run made it: a package of one container,
// stored in one copy.
func makeRepository(o options) (repo, container string, err error) {
	if o.work, err = filepath.Abs(o.work); err != nil {
		return "", "", err
	}
	repo, container = filepath.Join(o.work, "repo"), filepath.Join(o.work, "bench.warc.gz")
	done := filepath.Join(o.work, fmt.Sprintf("done-%d-%d", o.pages, o.captures))
	if _, err := os.Stat(done); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return repo, container, err
	}
	if err := errors.Join(os.RemoveAll(o.work), os.MkdirAll(o.work, 0o750)); err != nil {
		return "", "", err
	}
	progress("making %d pages and %d captures of one URL", o.pages, o.captures)
	if err := writeArchive(container, o); err != nil {
		return "", "", err
	}
	pkg := filepath.Join(o.work, "package")
	for _, args := range [][]string{
		{"pack", container, "--out", pkg}, {"init", repo, "--copy", filepath.Join(o.work, "copy")},
		{"ingest", pkg, "--repo", repo},
	} {
		if said, err := exec.Command(o.quire, args...).CombinedOutput(); err != nil { //nolint:gosec // our own program
			return "", "", fmt.Errorf("quire %s: %w: %s", args[0], err, said)
		}
	}
	return repo, container, os.WriteFile(done, nil, 0o600)
}
