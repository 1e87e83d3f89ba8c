package replay

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quire/format/surt"
	"quire/holdings"
)

// TestAlike: without an exact match, arguments invented by scripts are ignored; the response states
// the fuzzy match.
func TestAlike(t *testing.T) {
	m := &memory{}
	m.add("20150101000000", "http://a.example/data?id=1&_=111", 200, "Content-Type: application/json", `{"one": 1}`)
	m.add("20150601000000", "http://a.example/data?id=1&_=222", 200, "Content-Type: application/json", `{"one": 2}`)
	m.add("20150101000000", "http://a.example/data?id=2", 200, "Content-Type: application/json", `{"two": 2}`)
	m.add("20150101000000", "http://a.example/jsonp?q=x&callback=jQuery17_1", 200, "Content-Type: text/javascript",
		`/**/jQuery17_1({"x": 1})`)
	m.add("20150101000000", "http://a.example/plain.js", 200, "Content-Type: text/javascript", `plain()`)
	m.add("20150101000000", "http://a.example/plain.json", 200, "Content-Type: text/javascript", `json()`)
	m.add("20150101000000", "http://a.example/closed?a=1&_=1", 200, "Content-Type: text/plain",
		`SECRET`).verdict = holdings.Restricted
	m.add("20150101000000", "http://a.example/hidden?a=1&_=1", 200, "Content-Type: text/plain", `SECRET`).hidden = true
	m.add("20150101000000", "http://a.example/piece?_=1", 304, "Content-Type: text/plain", ``)
	d := newDesk(t, m)
	for url, body := range map[string]string{
		"data?id=1&_=333": `{"one": 1}`, "data?_=1&id=1&cb=x": `{"one": 1}`, "data?id=1": `{"one": 1}`,
		"data?id=2&t=1420000000000":         `{"two": 2}`,
		"jsonp?callback=jQuery17_2&q=x&_=5": `/**/jQuery17_2({"x": 1})`, "plain.js?_=99": `plain()`,
		"plain.js?1420000000": `plain()`, "plain.js?v=1420000000123": `plain()`,
	} {
		r := d.ask("/all/20150101000000js_/http://a.example/" + url)
		if got := text(t, r); r.StatusCode != 200 || got != body ||
			!strings.Contains(r.Header.Get("X-Archive-Note"), "fuzzy match") {
			t.Errorf("%s: %d %q, note %q", url, r.StatusCode, got, r.Header.Get("X-Archive-Note"))
		}
	}
	for _, url := range []string{"data?id=3&_=1", "data?id=1&x=2", "data", "plain.js?v=2", "plain.js?1",
		"closed?a=1&_=2", "hidden?a=1&_=2", "piece?_=2", "jsonp?q=y&callback=f"} {
		if r := d.ask("/all/20150101000000js_/http://a.example/" + url); r.StatusCode != 404 ||
			strings.Contains(text(t, r), "SECRET") {
			t.Errorf("%s: %d", url, r.StatusCode)
		}
	}
	r := d.ask("/all/20150601000000js_/http://a.example/data?id=1&_=333")
	if got := text(t, r); got != `{"one": 2}` ||
		!strings.HasSuffix(r.Header.Get("Content-Location"),
			"/all/20150601000000js_/http://a.example/data?id=1&_=222") && r.Header.Get("Content-Location") != "" {
		t.Errorf("the nearest is %q, %q", got, r.Header.Get("Content-Location"))
	}
	if r := d.ask("/all/20150101000000js_/http://a.example/data?id=2"); text(t, r) != `{"two": 2}` ||
		r.Header.Get("X-Archive-Note") != "" {
		t.Errorf("an exact match is reported as similar: %q", r.Header.Get("X-Archive-Note"))
	}
	want(t, d.ask("/all/20150101000000id_/http://a.example/data?id=1&_=333"), 404)
	want(t, d.ask("/all/http://a.example/data?id=1&_=333", "Accept: application/json"), 404) // a TimeGate is of one URL
}

// TestAlikePost: POST bodies may differ in one or two values.
func TestAlikePost(t *testing.T) {
	m := &memory{}
	const form = "application/x-www-form-urlencoded"
	for i, sent := range []string{"q=boats&page=1&token=aaa", "q=boats&page=2&token=bbb", "q=ships&page=1&token=aaa"} {
		c := m.add("20150101000000", "http://a.example/find", 200, "Content-Type: application/json", fmt.Sprint(i))
		c.Key = surt.Key(surt.WithRequest("http://a.example/find", http.MethodPost, form, []byte(sent)))
	}
	d := newDesk(t, m)
	for sent, body := range map[string]string{"q=boats&page=2&token=zzz": "1", "q=ships&page=1&token=zzz": "2",
		"q=boats&page=1&token=aaa": "0"} {
		r := d.send("POST", "/all/20150101000000ir_/http://a.example/find", sent, "Content-Type: "+form)
		if got := text(t, r); got != body {
			t.Errorf("%s: %d %q, want %s", sent, r.StatusCode, got, body)
		}
		if note := r.Header.Get("X-Archive-Note"); strings.Contains(note, "1 of the sent values") != strings.HasSuffix(sent,
			"zzz") {
			t.Errorf("%s: %q", sent, note)
		}
	}
	for _, sent := range []string{"q=trains&page=9&token=zzz", "q=boats", "q=boats&page=1&token=aaa&more=1", ""} {
		want(t, d.send("POST", "/all/20150101000000ir_/http://a.example/find", sent, "Content-Type: "+form), 404)
	}
	want(t, d.ask("/all/20150101000000ir_/http://a.example/find"), 404)
}

// TestAlikeIsBounded: the search for similar captures is limited, however many there are.
func TestAlikeIsBounded(t *testing.T) {
	m := &memory{}
	for i := range 3 * maxAlike {
		m.add("20150101000000", fmt.Sprintf("http://a.example/x?id=%05d", i), 200, "", "")
	}
	d := newDesk(t, m)
	want(t, d.ask("/all/20150101000000js_/http://a.example/x?id=none"), 404)
	if m.asked > 2*maxAlike+maxLooked {
		t.Errorf("%d captures were looked at", m.asked)
	}
}
