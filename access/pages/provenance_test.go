package pages_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/access/address"
	"quire/access/missed"
	"quire/access/pages"
	"quire/access/statement"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

const provenanceOf = "/provenance/all/"

// testProvenance: a reader sees digest, record, package and checks of a capture, can cite it, and can
// download a statement that the public key verifies.
func testProvenance(t *testing.T, h *holdings.Holdings) {
	keys, err := statement.OpenKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	r := room(t, h, pages.Options{Name: "Archive of Test", Public: "https://archive.example", Keys: keys, Now: now})
	const capture = "20140314092653/http://museum.example/"
	page := r.page(provenanceOf+capture, 200)
	says(t, page, "It proves neither that it is true, nor when it was said.")
	says(t, r.page(provenanceOf+"20140314092655/http://museum.example/img/tug.png", 200),
		"urn:pwid:archive.example:2014-03-14T09:26:55Z:part:http://museum.example/img/tug.png")
	digest := holdingstest.Digest(museumPage)
	says(t, page, digest, "Read for this page just now; the digest agrees", "Museum 2014 (museum)", "Harvest 1",
		"2 of 2 copies are good. Every byte of each was last read on",
		"Museum 2014. http://museum.example/, captured 14 March 2014, 09:26:53 UTC. Archive of Test. "+
			"https://archive.example/all/"+capture,
		`<a href="http://museum.example/" data-originalurl="http://museum.example/" data-versionurl=`+
			`"https://archive.example/all/`+capture+`" data-versiondate="2014-03-14">Museum 2014</a>`,
		"urn:pwid:archive.example:2014-03-14T09:26:53Z:page:http://museum.example/", "@misc{capture20140314092653,",
		"TY - ELEC")
	for target, want := range map[string]string{
		"/provenance/all/2014/http://museum.example/":    provenanceOf + capture,
		"/provenance/all/2014st_/http://museum.example/": "/provenance/all/20140314092653st_/http://museum.example/",
		"/provenance/all/2014/http://nowhere.example/":   "/all/2014/http://nowhere.example/",
	} {
		if w := r.read(target); w.Header().Get("Location") != want {
			t.Errorf("%s: %d %s", target, w.Code, w.Header().Get("Location"))
		}
	}
	r.page("/provenance/all/20140314092653xx_/http://museum.example/", 404)

	w := r.read("/provenance/all/20140314092653st_/http://museum.example/")
	signed := published(t, keys)
	s, _, err := signed.Verify(w.Body.Bytes())
	if err != nil {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	if s.Digest != digest || s.Made != "2026-11-30T12:00:00Z" || s.Timestamp != "20140314092653" ||
		s.Package != "museum" ||
		s.Record.ID != "urn:x:1" ||
		s.Address != "https://archive.example/all/"+capture {
		t.Errorf("%+v", s)
	}
	// A part of the package is closed: the position of a record would reveal the size of others.
	if s.Record.Container != "" || s.Record.Offset != nil || strings.Contains(text(page), "one.warc") {
		t.Errorf("the public learns the position of a record: %+v", s.Record)
	}
	r.class = holdings.Staff
	says(t, r.page(provenanceOf+capture, 200), "one.warc, record 1, byte ")
	s, _, err = signed.Verify(r.read("/provenance/all/20140314092653st_/http://museum.example/").Body.Bytes())
	if err != nil || s.Record.Container != "containers/one.warc" || s.Record.Order != 1 || s.Record.Offset == nil {
		t.Errorf("curators: %+v, %v", s, err)
	}
	revisit, _, err := signed.Verify(r.read("/provenance/all/20140315092653st_/http://museum.example/").Body.Bytes())
	if err != nil || revisit.Type != "revisit" || revisit.Payload == nil || revisit.Payload.Order != 1 {
		t.Errorf("a revisit: %+v, %v", revisit, err)
	}
	// Without an address of ours in the settings, the request names the host: we do not sign that.
	unnamed := room(t, h, pages.Options{Keys: keys, Now: now})
	s, _, err = signed.Verify(unnamed.read("/provenance/all/20140314092653st_/http://museum.example/").Body.Bytes())
	if err != nil || s.Address != "" || s.URL != "http://museum.example/" {
		t.Errorf("without an address in the settings: %+v, %v", s, err)
	}
	without := room(t, h, pages.Options{})
	without.page("/provenance/all/20140314092653st_/http://museum.example/", 404)
}

// testNothingOfClosed: a closed capture has no digest, statement or list of parts, for a reader
// without access.
func testNothingOfClosed(t *testing.T, h *holdings.Holdings) {
	keys, err := statement.OpenKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := room(t, h, pages.Options{Keys: keys})
	for _, m := range []address.Modifier{"", address.Parts, address.Mixed, address.Statement} {
		const closed = "http://museum.example/board/minutes.html"
		w := r.read(address.UI("").Provenance("all", "20160229120003", m, closed))
		if w.Code != http.StatusFound || w.Header().Get("Location") != "/all/20160229120003/"+closed ||
			w.Body.Len() > 0 {
			t.Errorf("%q: %d %s %s", m, w.Code, w.Header().Get("Location"), w.Body)
		}
	}
}

// TestParts: each part of a page has its date and its distance, and the words for its coherence.
func TestParts(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	const at = "http://parts.example/"
	answer := func(id, url, date, modified, body string) string {
		return holdingstest.Response(id, url, date, "image/png", body, "Last-Modified: "+modified)
	}
	r.Ingest(holdingstest.Package{ID: "parts", Rights: "access: open\nrules:\n  - urls: [" + at + "closed.png]\n" +
		"    access: restricted\n", Containers: map[string]string{"p.warc": holdingstest.Response("1", at,
		"2020-06-01T00:00:00Z", "text/html", "<title>Parts</title><img src=same.png><img src=old.png>"+
			"<img src=changed.png><img src=undated.png><img src=early.png><img src=bracket.png><img src=none.png>"+
			"<video src=gone.mp4></video><img src=closed.png><script src=s.js></script>"+
			"<img src=turned.png><img src=kept.png><img src=empty.png><img src=revived.png>") +
		holdingstest.Response("2", at+"same.png", "2020-06-01T00:00:00Z", "image/png", "same") +
		answer("3", at+"old.png", "2020-06-03T00:00:00Z", "Sun, 31 May 2020 00:00:00 GMT", "old") +
		answer("4", at+"changed.png", "2020-06-01T00:03:00Z", "Mon, 01 Jun 2020 00:02:00 GMT", "new") +
		holdingstest.Response("5", at+"undated.png", "2020-06-01T00:00:30Z", "image/png", "undated") +
		holdingstest.Response("6", at+"early.png", "2020-05-31T20:00:00Z", "image/png", "early") +
		holdingstest.Response("7", at+"bracket.png", "2020-05-31T00:00:00Z", "image/png", "still") +
		holdingstest.Response("8", at+"bracket.png", "2020-06-05T00:00:00Z", "image/png", "still") +
		holdingstest.Answer("9", at+"gone.mp4", "2020-06-01T00:00:02Z", "404 Not Found", "gone") +
		holdingstest.Response("10", at+"closed.png", "2020-06-01T00:00:03Z", "image/png", "SECRET") +
		holdingstest.Redirect("12", at+"turned.png", "2020-05-31T00:00:00Z", at+"one.png") +
		holdingstest.Redirect("13", at+"turned.png", "2020-06-05T00:00:00Z", at+"two.png") +
		holdingstest.Redirect("14", at+"kept.png", "2020-05-31T00:00:00Z", at+"one.png") +
		holdingstest.Redirect("15", at+"kept.png", "2020-06-05T00:00:00Z", at+"one.png") +
		holdingstest.Response("16", at+"empty.png", "2020-05-31T00:00:00Z", "image/png", "") +
		holdingstest.Response("17", at+"empty.png", "2020-06-05T00:00:00Z", "image/png", "") +
		holdingstest.Response("18", at+"revived.png", "2020-05-31T00:00:00Z", "image/png", "page") +
		holdingstest.Answer("19", at+"revived.png", "2020-06-05T00:00:00Z", "404 Not Found", "page",
			"Content-Type: image/png") +
		answer("11", at+"s.js", "2020-06-01T00:00:04Z", "Fri, 01 Jan 2027 00:00:00 GMT", "js"),
	}})
	reader := room(t, r.Open(holdings.Options{}), pages.Options{})
	target := "/provenance/all/20200601000000pt_/" + at
	page := reader.page(target, 200)
	got := map[string]string{}
	for _, row := range all(page, "tr")[1:] {
		cells := []string{}
		for _, c := range all(row, "td") {
			cells = append(cells, text(c))
		}
		got[strings.TrimPrefix(text(all(row, "th")[0]), at)] = strings.Join(cells, "|")
	}
	const never = "||||"
	for name, want := range map[string]string{
		"same.png":    "200 OK|1 June 2020, 00:00:00 UTC|same second|Yes",
		"old.png":     "200 OK|3 June 2020, 00:00:00 UTC|2 days later|Yes",
		"changed.png": "200 OK|1 June 2020, 00:03:00 UTC|3 minutes later|No: it changed after the page was captured",
		"undated.png": "200 OK|1 June 2020, 00:00:30 UTC|30 seconds later|Unknown",
		"early.png":   "200 OK|31 May 2020, 20:00:00 UTC|4 hours earlier|Perhaps",
		"bracket.png": "200 OK|31 May 2020, 00:00:00 UTC|24 hours earlier|Yes",
		"none.png":    "|||Not captured",
		"turned.png":  "302 Found|31 May 2020, 00:00:00 UTC|24 hours earlier|Perhaps",
		"kept.png":    "302 Found|31 May 2020, 00:00:00 UTC|24 hours earlier|Yes",
		"empty.png":   "200 OK|31 May 2020, 00:00:00 UTC|24 hours earlier|Perhaps",
		"revived.png": "200 OK|31 May 2020, 00:00:00 UTC|24 hours earlier|Perhaps",
		"gone.mp4":    "404 Not Found|1 June 2020, 00:00:02 UTC|2 seconds later|Not captured, or an error",
		"closed.png":  "|||Not open to you",
		"s.js":        "200 OK|1 June 2020, 00:00:04 UTC|4 seconds later|Unknown", // a date in the future
	} {
		if !strings.HasPrefix(got[name]+never, want) {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	if strings.Contains(text(page), "Damage") {
		t.Error("readers see the measure")
	}
	if mark := reader.read("/provenance/all/20200601000000pm_/" + at).Body.String(); !strings.Contains(mark,
		`"1 part changed after this page was captured"`) {
		t.Errorf("the mark: %s", mark)
	}
	mark := reader.read("/provenance/all/20200601000000pm_/" + at + "same.png").Body.String()
	if !strings.Contains(mark, `"text":""`) {
		t.Errorf("a mark of a picture: %s", mark)
	}
	reader.class = holdings.Staff
	// Missing: a picture (3) and a film (4), of 12 pictures (36), the film and a script (1).
	says(t, reader.page(target, 200), "Weighted share that is missing17 %", "Parts missing2",
		"24 hours earlier – 2 days later")
}

// TestPartsAreBounded: when the time is over, parts are unknown; when too many lists are wanted at once,
// a reader is asked to wait. It runs alone, because it changes the limits.
func TestPartsAreBounded(t *testing.T) {
	r := room(t, museum(t).Open(holdings.Options{}), pages.Options{})
	const target = "/provenance/all/20140314092653pt_/http://museum.example/"
	says(t, r.page(target, 200), "http://museum.example/img/tug.png200 OK")
	restore := pages.SetPartsTimes(time.Nanosecond, time.Millisecond)
	defer restore()
	for _, row := range all(r.page(target, 200), "tr")[1:] {
		if !strings.HasSuffix(text(row), "Unknown: the time for this list was over") {
			t.Errorf("after the time is over: %s", text(row))
		}
	}
	release := pages.TakePartsTurns()
	if w := r.read(target); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("too many at once: %d", w.Code)
	}
	release()
	r.page(target, 200)
}

// TestCitationOfBraces: a URL with braces and backslashes stays within its field of BibTeX.
func TestCitationOfBraces(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	const url = `http://braces.example/{a\}}x`
	r.Ingest(holdingstest.Package{ID: "braces", Rights: "access: open", Containers: map[string]string{
		"b.warc": holdingstest.Response("1", url, "2020-06-01T00:00:00Z", "text/html", "<title>Braces</title>")}})
	page := room(t, r.Open(holdings.Options{}), pages.Options{}).page("/provenance/all/20200601000000/"+url, 200)
	says(t, page, `howpublished = {\url{http://braces.example/%7Ba%5C%7D%7Dx}}`,
		`url = {http://archive.example/all/20200601000000/http://braces.example/%7Ba%5C%7D%7Dx}`)
}

// TestWantedParts: the list of parts gives the reason in a crawler's log for a part without a capture, from the
// logs that the reader may see; curators see their number.
func TestWantedParts(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	const at = "http://a.example/"
	page := holdingstest.Response("1", at, "2015-01-02T03:04:05Z", "text/html",
		"<img src=/no/001><img src=/never.png>")
	r.Ingest(holdingstest.Package{ID: "site", Rights: "access: open", Containers: map[string]string{"a.warc": page},
		Logs: map[string]string{"crawl.log": missLog()}, Restrict: []string{"logs/crawl.log"}})
	h := r.Open(holdings.Options{})
	lists := missed.Open(filepath.Join(r.Dir, "lists"), h)
	t.Cleanup(func() { _ = lists.Close() })
	list, err := lists.Of(t.Context(), "site", 1) // avoids waiting on a busy machine
	if err != nil {
		t.Fatal(err)
	}
	_ = list.Close()
	reader := room(t, h, pages.Options{Missed: lists})
	const target = "/provenance/site/20150102030405pt_/" + at
	if got := text(reader.page(target, 200)); strings.Contains(got, "log says") {
		t.Errorf("a closed log: %s", got)
	}
	reader.class = holdings.Staff
	says(t, reader.page(target, 200), "The crawler's log says: Forbidden by robots.txt", "Parts missing2",
		"Missing parts that a log names1", "or a person1")
}

// published returns the public keys.
func published(t *testing.T, keys *statement.Keys) statement.Published {
	t.Helper()
	all, err := keys.Published()
	if err != nil {
		t.Fatal(err)
	}
	return all
}
