package pack

import (
	"fmt"
	"strings"
	"testing"

	"quire/internal/prove"
)

// manyLinks returns a crawl with links of all classes: more than a block of links holds, through
// redirects, to other harvests, to files that pages load, and by iframes.
func manyLinks(t *testing.T) string {
	t.Helper()
	var menu, moves strings.Builder
	for i := range 8000 {
		fmt.Fprintf(&menu, `<a href="/p%d#at(%d)">Page  &amp; %d</a><img src=i%d.gif>`, i%40, i, i, i%7)
	}
	for i := range 25 {
		moves.WriteString(captured(fmt.Sprintf("http://a.test/m%d", i), early, "302",
			fmt.Sprintf("Location: /m%d\r\n", i+1), ""))
	}
	one := warcinfo + captured("http://a.test/", early, "200", asHTML, menu.String()+
		`<iframe src=f></iframe><iframe src=g></iframe><a href=g>g</a><a href=m3>3</a><a href=m20>20</a>`+
		`<a href=m10>10</a><a href=/>me</a>`) +
		captured("http://a.test/f", early, "200", asHTML, `<a href=/f>f</a><a href="http://b.test/">b</a>`) +
		captured("http://a.test/g", early, "200", asHTML, "<p>g") + moves.String() +
		captured("http://a.test/m25", later, "200", asHTML, `<frame src=m1><img src=m24>`)
	for i := range 40 {
		one += captured(fmt.Sprintf("http://a.test/p%d", i), later, "200", asHTML, `<a href="../p1">1</a>`)
	}
	for i := range 7 {
		one += captured(fmt.Sprintf("http://a.test/i%d.gif", i), early, "200", asGIF,
			"GIF89a\x01\x00\x01\x00\x00\x00\x00;")
	}
	dir := twoHarvests(t)
	writeFile(t, dir, "one/jobs/20240102030405/warcs/many.warc", one)
	writeFile(t, dir, "two/jobs/20240102030405/warcs/many.warc", warcinfo+
		captured("http://b.test/", later, "200", asHTML,
			`<a href="http://a.test/m20">m</a><iframe src="http://a.test/f">`))
	return dir
}

// TestLinksInMemoryAsOnDisk: both ways to resolve links write the same METS.
func TestLinksInMemoryAsOnDisk(t *testing.T) {
	prove.Serial(t)
	source := manyLinks(t)
	for _, profile := range []Profile{Full, Linked} {
		for _, form := range []METSForm{InDocuments, Single} {
			var out [2]string
			for i, onDisk := range []bool{true, false} {
				o := options(t)
				o.ID, o.Profile, o.METS, o.linksOnDisk = "x", profile, form, onDisk
				mustPack(t, o, source)
				out[i] = o.Out
			}
			for _, name := range metsDocumentsOf(t, out[0]) {
				disk, memory := textOf(t, out[0], name), textOf(t, out[1], name)
				if profile == Linked && strings.Contains(name, "harvest-1") &&
					strings.Count(disk, "<mets:smLink ") < 8000 {
					t.Fatalf("%s has few links", name)
				}
				if disk != memory {
					t.Errorf("%s %s: %s differs:\n%s", profile, form, name, differenceOf(disk, memory))
				}
			}
		}
	}
}

// differenceOf returns the text of two documents from where they differ.
func differenceOf(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	from := max(0, at-100)
	return a[from:min(len(a), at+200)] + "\n" + b[from:min(len(b), at+200)]
}

// TestTooManyCaptures: captures beyond the bound are not kept in memory.
func TestTooManyCaptures(t *testing.T) {
	g, err := newLinkGraph(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer g.close() //nolint:errcheck // nothing depends on it
	for i := range 100 {
		if err := g.add(fmt.Sprintf("http://a.test/%d", i), webCapture{place: place{1, int64(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if table, err := g.table(100 * (perCapture + 20)); err != nil || table == nil || len(table.of) != 100 {
		t.Errorf("within the bound: %v, %v", table, err)
	}
	if table, err := g.table(99 * perCapture); err != nil || table != nil {
		t.Errorf("beyond the bound: %v, %v", table, err)
	}
}

// TestDamagedLinkRows: a row that was cut is an error.
func TestDamagedLinkRows(t *testing.T) {
	rows, err := newTargetRows(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer rows.close() //nolint:errcheck // nothing depends on it
	for _, row := range []string{"\x02\x01", "\x02\x01\x02\x02", "\x02\x00\x02\x02\x02\x09"} {
		from := rows.at
		if err := rows.add([]byte(row)); err != nil {
			t.Fatal(err)
		}
		rows.of[1] = span{from, rows.at}
		in := &targetReader{rows: rows}
		if err := in.eachLink(1, 1, func(foundLink) error { return nil }); err == nil {
			t.Errorf("%q has no error", row)
		}
	}
	var l webLink
	for _, block := range []string{"\x00", "\x00\x02", "\x00\x02\x02\x05a", "\x00\x02\x02\x01a"} {
		if _, err := l.next([]byte(block)); err == nil {
			t.Errorf("%q has no error", block)
		}
	}
}
