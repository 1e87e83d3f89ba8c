package heritrix

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"quire/model"
	"quire/source"
	"quire/source/internal/facts"
	"quire/source/internal/sourcetest"
)

func TestWhichConfiguration(t *testing.T) {
	named := func(name string) string { return strings.Replace(order, "default_orderxml", name, 1) }
	for _, c := range []struct {
		files map[string]string
		want  string
		codes []string
	}{
		{map[string]string{"order.xml": named("a"), "old-order.xml": named("b")}, "a", nil},
		{map[string]string{"a-order.xml": named("a"), "b-order.xml": named("b")}, "a",
			[]string{CodeSeveral + " a-order.xml"}},
	} {
		about := sourcetest.Only(t, Reader{}, folder(t, c.files)).About()
		var codes []string
		for _, code := range codesOf(about.Findings) {
			if !strings.HasPrefix(code, source.CodeSecret) {
				codes = append(codes, code)
			}
		}
		equal(t, "findings", codes, c.codes)
		if about.Collection != c.want {
			t.Errorf("%v: %q was read, want %q", c.files, about.Collection, c.want)
		}
	}
}

func TestLatin1(t *testing.T) {
	text := strings.Replace(strings.Replace(order, "UTF-8", "ISO-8859-1", 1), "Admin", "J\xf8rgen", 1)
	if about := sourcetest.Only(t, Reader{},
		folder(t, map[string]string{"order.xml": text})).About(); about.Operator != "Jørgen" {
		t.Errorf("operator %q, findings %v", about.Operator, about.Findings)
	}
	unknown := strings.Replace(order, "UTF-8", "EBCDIC", 1)
	if about := sourcetest.Only(t, Reader{},
		folder(t, map[string]string{"order.xml": unknown})).About(); len(about.Findings) == 0 ||
		about.Findings[0].Code != CodeConfiguration {
		t.Errorf("findings %v", about.Findings)
	}
}

func TestKeysAndCookies(t *testing.T) {
	about := sourcetest.Only(t, Reader{},
		folder(t, map[string]string{"crawl-report.txt": "Crawl Name: a\n", "adhoc.keystore": "x", "cookies.txt": "x",
			"heritrix.out": "quiet\n"})).About()
	equal(t, "findings", codesOf(about.Findings),
		[]string{source.CodeSecret + " adhoc.keystore", source.CodeSecret + " cookies.txt"})
}

// TestSoftwareOfArc checks that an ARC is a better source for its writer than a template.
func TestSoftwareOfArc(t *testing.T) {
	meta := `<?xml version="1.0" encoding="UTF-8"?><arcmetadata xmlns:arc="http://archive.org/arc/1.0/" ` +
		`xmlns="http://archive.org/arc/1.0/">` +
		"<arc:software>Heritrix 1.14.4 http://crawler.archive.org</arc:software><arc:hostname>skynet</arc:hostname>" +
		"</arcmetadata>\n"
	head := "1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
	arc := "filedesc://1.arc 0.0.0.0 20070813080023 text/plain 324\n" + head + meta
	if n := len(head) + len(meta); n != 324 {
		t.Fatalf("the version block has %d bytes", n)
	}
	h := sourcetest.Only(t, Reader{}, folder(t, map[string]string{"order.xml": order, "arcs/1.arc": arc}))
	equal(t, "software", evidence(h, "software"), []string{
		"Heritrix 1.14.4 http://crawler.archive.org | field software of the first record of arcs/1.arc",
		"heritrix/1.12.1 | the user agent, which may be that of a template, in order.xml"})
	if about := h.About(); about.Software != "Heritrix 1.14.4 http://crawler.archive.org" || about.Host != "skynet" {
		t.Errorf("%q on %q", about.Software, about.Host)
	}
}

func TestStopsWhenTold(t *testing.T) {
	line := "2012-12-19T19:18:35.402Z   301          0 http://a/ - - text/html #048 20121219191834967+430 - - -\n"
	h := sourcetest.Only(t, Reader{}, folder(t, map[string]string{"crawl.log.000001": line + line, "crawl.log": line}))
	n := 0
	for _, err := range h.Fetches(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d lines after the first", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	var fetches []model.Fetch
	for f, err := range h.Fetches(ctx, nil) {
		last, fetches = err, append(fetches, f)
	}
	if !errors.Is(last, context.Canceled) || len(fetches) != 1 {
		t.Errorf("%v after %d fetches", last, len(fetches))
	}
}

func TestFilesThatDuplicatesLieIn(t *testing.T) {
	log := ""
	for i, note := range []string{
		`duplicate:"1039-130-20090501153616-00000-a.arc,9358",content-size:8606`,
		`duplicate:"1039-130-20090501153616-00000-a.arc,82164",3t`,
		`deduplicate:"check-arc,42"`,
		`duplicate:"7-1-20090601153616-00000-a.arc,1,20090601153610000"`, // of this harvest, compressed later
		`duplicate:digest`, `-`,
	} {
		log += fmt.Sprintf("2009-06-01T15:36:%02d.379Z   200       8321 http://a.dk/%d E http://a.dk/ text/css #029 "+
			"200906011536%02d257+67 sha1:OUZ5LFEXKVOTUNOH6DQSKMCPAAGQAOO3 - %s\n", i, i, i, note)
	}
	about := sourcetest.Only(t, Reader{},
		folder(t, map[string]string{"logs/crawl.log": log, "arcs/7-1-20090601153616-00000-a.arc.gz": ""})).About()
	equal(t, "foreign", about.Foreign,
		[]model.ForeignFile{{Name: "1039-130-20090501153616-00000-a.arc", Duplicates: 2},
			{Name: "check-arc", Duplicates: 1}})
}

func TestForeignFilesAreBounded(t *testing.T) {
	var d duplicates
	for i := range maxForeign + 5 {
		d.add(&model.Place{Container: fmt.Sprintf("%d.arc", i)})
	}
	d.add(&model.Place{Container: "0.arc"})
	d.add(&model.Place{Container: strings.Repeat("x", maxForeignName+1)})
	f := facts.New(&model.Harvest{})
	d.addFacts(f, "crawl.log")
	if len(f.About.Foreign) != maxForeign || f.About.Foreign[0].Duplicates != 2 || d.more != 6 ||
		len(f.About.Findings) != 1 {
		t.Errorf("%d files, %+v, %d more, %v", len(f.About.Foreign), f.About.Foreign[0], d.more, f.About.Findings)
	}
}
