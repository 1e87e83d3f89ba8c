package pack

import (
	"slices"
	"strings"
	"testing"

	"quire/format/warc"
	"quire/preserve/aip"
)

// homeID refers to the record that captured makes of the home page.
var homeID = "WARC-Refers-To: <urn:x:http---a-test-" + strings.NewReplacer("T", "-", "Z", "-", ":",
	"-").Replace(early) + ">"

// revisited returns a revisit record of a page.
func revisited(uri, date string, fields ...string) string {
	return strings.Replace(record("revisit", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", append(fields,
		"WARC-Target-URI: "+uri, "Content-Type: application/http;msgtype=response",
		"WARC-Profile: "+warc.ProfileIdenticalPayload11)...), "2024-01-02T03:04:05Z", date, 1)
}

// TestRevisitsArePages: a revisit record is a page. Its file is that of the capture that it repeats;
// where that is in another package, the METS names the package.
func TestRevisitsArePages(t *testing.T) {
	page := captured("http://a.test/", early, "200", asHTML, "<title>Home</title>")
	crawl := crawlOf(t, map[string]string{"a.warc": warcinfo + page +
		revisited("http://a.test/", later, homeID) +
		revisited("http://a.test/", later, "WARC-Refers-To-Target-URI: http://a.test/", "WARC-Refers-To-Date: "+early) +
		revisited("http://a.test/held", later, "WARC-Refers-To: <urn:x:held>", "Dedup-Package: boats 1",
			"Dedup-Path: containers/b.warc.gz") +
		revisited("http://a.test/lost", later, "WARC-Refers-To: <urn:x:lost>")})
	want := []string{
		"web page http://a.test/: FILE-c1-b2", "web page http://a.test/: FILE-c1-b2",
		"web page http://a.test/: FILE-c1-b2",
		"web page http://a.test/held: FILE-c1-r5", "web page http://a.test/lost: FILE-c1-r6",
	}
	o := options(t)
	o.Profile = Full
	mustPack(t, o, crawl)
	if got := webMapOf(t, o.Out).pagesOf(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	const pointer = `<mets:mptr LOCTYPE="OTHER" OTHERLOCTYPE="package" xlink:type="simple" ` +
		`xlink:href="boats%201#containers/b.warc.gz" xlink:title="&lt;urn:x:held&gt;"/>`
	if document := read(t, o.Out, aip.METSName); strings.Count(document, "<mets:mptr") != 1 ||
		!strings.Contains(document, pointer) {
		t.Errorf("%q is not in %s", pointer, document)
	}
	check(t, o.Out, aip.Options{})
}

// TestRevisitsOfAnotherHarvest: a deduplicated harvest keeps its pages, with pointers to the pages of
// the harvest that has the content.
func TestRevisitsOfAnotherHarvest(t *testing.T) {
	dir := twoHarvests(t)
	page := captured("http://a.test/", early, "200", asHTML, "<title>Home</title>")
	put := func(name, content string) { writeFile(t, dir, name, content) }
	put("one/jobs/20240102030405/warcs/a.warc", warcinfo+page)
	put("two/jobs/20240102030405/warcs/b.warc", warcinfo+revisited("http://a.test/", later,
		homeID))
	documents, _ := formsOf(t, Linked, Current, dir, nil)
	two := textOf(t, documents, "mets/pages/harvest-2.mets.xml.gz")
	for _, want := range []string{`TYPE="web page"`, `xlink:href="harvest-1.mets.xml.gz#P-c1-b2"/>`,
		`<mets:fptr FILEID="FILE-c2-r2"/>`} {
		if !strings.Contains(two, want) {
			t.Errorf("%q is not in %s", want, two)
		}
	}
	check(t, documents, aip.Options{})
}
