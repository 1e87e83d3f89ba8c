package replay

import (
	"fmt"
	"strings"
	"testing"

	"quire/access/siterules"
	"quire/holdings"
)

const filmHead = "Content-Type: application/vnd.apple.mpegurl"

// films returns an archive with a film in HLS, of whose variants one was captured, one is an error,
// one is closed and one was never captured.
func films() *memory {
	m := &memory{}
	const at = "20150101000000"
	m.add(at, "http://a.example/f/master.m3u8", 200, filmHead, "#EXTM3U\n"+
		"#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://cdn.example/low.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nmissing.m3u8\n"+
		"#EXT-X-STREAM-INF:BANDWIDTH=3\nerror.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=4\nclosed.m3u8\n"+
		"#EXT-X-STREAM-INF:BANDWIDTH=5\nhidden.m3u8\n")
	m.add(at, "http://cdn.example/low.m3u8", 200, filmHead, "#EXTM3U\n#EXTINF:2,\nhttp://cdn.example/s1.ts\ns2.ts\n")
	m.add(at, "http://a.example/f/error.m3u8", 404, "Content-Type: text/html", "")
	m.add(at, "http://a.example/f/closed.m3u8", 200, filmHead, "#EXTM3U\n").verdict = holdings.Reading
	m.add(at, "http://a.example/f/hidden.m3u8", 200, filmHead, "#EXTM3U\n").hidden = true
	m.add(at, "http://a.example/none.m3u8", 200, filmHead, "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nx.m3u8\n")
	m.add(at, "http://a.example/f.mpd", 200, "Content-Type: application/dash+xml", `<MPD><Period><AdaptationSet>`+
		`<Representation id="1"><BaseURL>1.mp4</BaseURL></Representation>`+
		`<Representation id="2"><BaseURL>2.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`)
	m.add(at, "http://a.example/2.mp4", 200, "Content-Type: video/mp4", "film")
	return m
}

// TestFilms checks that a playlist offers the captured variants, within the reader's rights.
func TestFilms(t *testing.T) {
	m := films()
	d := newDesk(t, m)
	reading := d.o.Key.Sign(Capability{Class: holdings.OnSite, Packages: []string{"p1"},
		Until: d.o.Now().AddDate(0, 0, 1)})
	const low, closed = "#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://cdn.example/low.m3u8\n",
		"#EXT-X-STREAM-INF:BANDWIDTH=4\nclosed.m3u8\n"
	const linked = "#EXT-X-STREAM-INF:BANDWIDTH=1\n/all/20150101000000im_/http://cdn.example/low.m3u8\n"
	const mpd = `<MPD><Period><AdaptationSet>` +
		`<Representation id="2"><BaseURL>2.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`
	for _, c := range []struct{ at, want, note string }{
		{"/all/20150101000000ir_/http://a.example/f/master.m3u8", "#EXTM3U\n" + low,
			"4 variants of this film are not available here, and are not offered"},
		{"/all/20150101000000im_/http://a.example/f/master.m3u8", "#EXTM3U\n" + linked,
			"4 variants of this film are not available here, and are not offered"},
		{"/all~" + reading + "/20150101000000ir_/http://a.example/f/master.m3u8", "#EXTM3U\n" + low + closed,
			"3 variants of this film are not available here"},
		{"/all/20150101000000id_/http://a.example/f/master.m3u8", m.captures[0].body, ""},
		{"/all/20150101000000ir_/http://cdn.example/low.m3u8", m.captures[1].body, ""},
		{"/all/20150101000000im_/http://cdn.example/low.m3u8",
			"#EXTM3U\n#EXTINF:2,\n/all/20150101000000im_/http://cdn.example/s1.ts\ns2.ts\n", ""},
		{"/all/20150101000000ir_/http://a.example/none.m3u8", m.captures[5].body, ""},
		{"/all/20150101000000ir_/http://a.example/f.mpd", mpd, "1 variants of this film are not available here"},
		{"/all/20150101000000id_/http://a.example/f.mpd", m.captures[6].body, ""},
	} {
		r := d.ask(c.at)
		note := r.Header.Get("X-Archive-Note")
		if got := text(t, r); r.StatusCode != 200 || got != c.want || !strings.HasPrefix(note, c.note) ||
			c.note == "" && note != "" {
			t.Errorf("%s: %d, note %q\n%s\nwant\n%s", c.at, r.StatusCode, note, got, c.want)
		}
		if c.note != "" && r.Header.Get("Etag") != "" {
			t.Errorf("%s has an ETag, although its content depends on the index", c.at)
		}
		if r := d.send("HEAD", c.at, ""); r.StatusCode != 200 || text(t, r) != "" ||
			r.Header.Get("X-Archive-Note") != note {
			t.Errorf("HEAD %s: %d %v", c.at, r.StatusCode, r.Header)
		}
	}
	r := d.ask("/all/20150101000000ir_/http://a.example/f/master.m3u8", "Referer: http://replay.example/-/wabac/sw.js")
	if got := text(t, r); got != m.captures[0].body {
		t.Errorf("an engine gets %s", got)
	}
}

// TestFilmsByRules: a variant stays if a site rule finds a similar capture that the reader may see and that is no
// error; a fix is applied before the variants are looked for.
func TestFilmsByRules(t *testing.T) {
	m := &memory{}
	const at = "20150101000000"
	m.add(at, "http://a.example/f/master.m3u8", 200, filmHead, "#EXTM3U\n"+
		"#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://cdn.example/low.m3u8?token=1\n"+
		"#EXT-X-STREAM-INF:BANDWIDTH=2\nhttp://cdn.example/closed.m3u8?token=1\n"+
		"#EXT-X-STREAM-INF:BANDWIDTH=3\nhttp://cdn.example/error.m3u8?token=1\n"+
		"#EXT-X-STREAM-INF:BANDWIDTH=4\nhttp://cdn.example/denied.m3u8?token=1\n"+
		"#EXT-X-STREAM-INF:BANDWIDTH=5\nhttp://old.example/moved.m3u8\n")
	m.add(at, "http://cdn.example/low.m3u8?token=9", 200, filmHead, "#EXTM3U\n")
	m.add(at, "http://cdn.example/closed.m3u8?token=9", 200, filmHead, "#EXTM3U\n").verdict = holdings.Restricted
	m.add(at, "http://cdn.example/error.m3u8?token=9", 403, "Content-Type: text/html", "")
	m.add(at, "http://cdn.example/denied.m3u8?token=1", 200, filmHead, "#EXTM3U\n").verdict = holdings.Restricted
	m.add(at, "http://cdn.example/denied.m3u8?token=9", 200, filmHead, "#EXTM3U\n")
	m.add(at, "http://cdn.example/moved.m3u8", 200, filmHead, "#EXTM3U\n")
	rules, err := siterules.Read(strings.NewReader("version: 5\nrules:\n- name: token\n  reason: It expires.\n"+
		"  urls: [cdn.example]\n  ignore: [token]\n- name: moved\n  reason: The host moved.\n  urls: [a.example]\n"+
		"  fixes: [{types: [application/vnd.apple.mpegurl], replace: 'old\\.example', with: cdn.example}]\n"), "x.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, m)
	d.o.Rules = func() *siterules.Set { return rules }
	r := d.ask("/all/" + at + "ir_/http://a.example/f/master.m3u8")
	const want = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://cdn.example/low.m3u8?token=1\n" +
		"#EXT-X-STREAM-INF:BANDWIDTH=5\nhttp://cdn.example/moved.m3u8\n"
	const note = "changed by the site rules moved (x.yaml 5); 3 variants of this film are not available here"
	if got := text(t, r); got != want || !strings.HasPrefix(r.Header.Get("X-Archive-Note"), note) {
		t.Errorf("%q\n%s", r.Header.Get("X-Archive-Note"), got)
	}
	for i := range 2 * maxOfferedAlike { // too many to compare: the variants behind stay
		m.add(at, fmt.Sprintf("http://cdn.example/error.m3u8?x=%d", i), 200, filmHead, "")
	}
	m.asked = 0
	var list strings.Builder
	list.WriteString("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://cdn.example/moved.m3u8\n")
	for i := range 10 {
		fmt.Fprintf(&list, "#EXT-X-STREAM-INF:BANDWIDTH=2\nhttp://cdn.example/error.m3u8?y=%d\n", i)
	}
	m.add(at, "http://a.example/g.m3u8", 200, filmHead, list.String())
	r = d.ask("/all/" + at + "ir_/http://a.example/g.m3u8")
	got := text(t, r)
	if n := strings.Count(got, "?y="); n == 0 || n == 10 || m.asked > 2*maxOfferedAlike {
		t.Errorf("%d variants stay, %d captures were looked at\n%s", n, m.asked, got)
	}
}

// TestFixes checks that a fix changes a body before it is rewritten, and says so; exact bytes stay.
func TestFixes(t *testing.T) {
	m := &memory{}
	const page, script = `<p class="live">text <a href="/x">x</a>`, `start("live")`
	m.add("20150101000000", "http://a.example/", 200, "Content-Type: text/html; charset=utf-8", page)
	m.add("20150101000000", "http://a.example/x.js", 200, "Content-Type: text/javascript", script)
	m.add("20150101000000", "http://b.example/", 200, "Content-Type: text/html", page)
	m.add("20150101000000", "http://a.example/gone", 404, "Content-Type: text/html", page)
	m.add("20150101000000", "http://a.example/long", 200, "Content-Type: text/html",
		page+strings.Repeat(" ", siterules.MaxFixed))
	rules, err := siterules.Read(strings.NewReader("version: 5\nrules:\n- name: still\n  reason: The server is gone.\n"+
		"  urls: [a.example]\n"+
		"  fixes: [{types: [text/html, text/javascript], replace: '\"(live)\"', with: '\"no-$1\"'}]\n"),
		"x.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, m)
	d.o.Rules = func() *siterules.Set { return rules }
	tags := map[string]bool{}
	for at, want := range map[string]string{
		"mp_/http://a.example/":     `<p class="no-live">text <a href="/all/20150101000000mp_/http://a.example/x">`,
		"ir_/http://a.example/":     `<p class="no-live">text <a href="/x">`,
		"id_/http://a.example/":     page,
		"js_/http://a.example/x.js": `start("no-live")`,
		"mp_/http://b.example/":     `<p class="live">text <a href="/all/`,
		"mp_/http://a.example/gone": `<p class="live">text <a href="/all/`,
		"mp_/http://a.example/long": `<p class="live">text <a href="/all/`,
	} {
		r := d.ask("/all/20150101000000" + at)
		note, fixed := r.Header.Get("X-Archive-Note"), strings.Contains(want, "no-live")
		if got := text(t, r); !strings.Contains(got, want) ||
			(note == "changed by the site rules still (x.yaml 5)") != fixed {
			t.Errorf("%s: note %q, %.300s; want %s", at, note, got, want)
		}
		if r := d.ask("/all/20150101000000"+at, "Range: bytes=0-3"); fixed && (r.StatusCode != 200 ||
			!strings.Contains(text(t, r), want)) {
			t.Errorf("%s, a range: %d %s", at, r.StatusCode, text(t, r))
		}
		tags[r.Header.Get("Etag")] = true
	}
	d.o.Rules = siterules.Own
	if r := d.ask("/all/20150101000000mp_/http://a.example/"); tags[r.Header.Get("Etag")] ||
		strings.Contains(text(t, r), "no-live") {
		t.Errorf("without the rule: %v %s", r.Header, text(t, r))
	}
}

// TestSlowFix: a fix whose matches each read to the end of a long body ends, and the answer says so.
func TestSlowFix(t *testing.T) {
	t.Parallel()
	m := &memory{}
	body := strings.Repeat("x", 1000) + strings.Repeat(" ", siterules.MaxFixed-1000)
	m.add("20150101000000", "http://a.example/x.txt", 200, "Content-Type: text/plain", body)
	rules, err := siterules.Read(strings.NewReader("version: 5\nrules:\n- name: slow\n  reason: It reads much.\n"+
		"  urls: [a.example]\n  fixes: [{types: [text/plain], replace: 'x([^y]*y)?', with: 'z'}]\n"), "x.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, m)
	d.o.Rules = func() *siterules.Set { return rules }
	r := d.ask("/all/20150101000000ir_/http://a.example/x.txt")
	if note := r.Header.Get("X-Archive-Note"); text(t, r) != body ||
		note != "not changed by the site rules, which took too long" {
		t.Errorf("%d, note %q", r.StatusCode, note)
	}
}
