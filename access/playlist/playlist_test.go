package playlist

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const (
	at     = "http://a.example/film/master.m3u8"
	folder = "http://a.example/film/"
)

// offer removes the variants whose URL has none of the words.
func offer(form Form, text string, words ...string) (out string, removed int, asked []string) {
	b, n := Offer(form, []byte(text), at, func(url string) bool {
		asked = append(asked, url)
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(url, w) })
	})
	return string(b), n, asked
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		mime, first string
		want        Form
	}{
		{"application/vnd.apple.mpegurl", "#EXTM3U\n", HLS},
		{"Audio/MPEGURL; charset=utf-8", "\xef\xbb\xbf#EXTM3U", HLS},
		{"text/plain", "#EXTM3U\n", HLS}, {"", "#EXTM3U\n", HLS}, {"text/html", "#EXTM3U\n", None},
		{"audio/mpegurl", "song.mp3\n", None}, {"application/dash+xml", "<MPD>", DASH}, {"text/xml", "<MPD>", None},
	} {
		if got := Of(c.mime, []byte(c.first)); got != c.want {
			t.Errorf("%s %q: %d, want %d", c.mime, c.first, got, c.want)
		}
	}
}

func TestHLS(t *testing.T) {
	const low, high = "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a,URI=b\"\nlow.m3u8\n",
		"#EXT-X-STREAM-INF:BANDWIDTH=9,AUDIO=\"s\"\r\n# a comment\r\nhttps://cdn.example/high.m3u8\r\n"
	const en, fr = `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="en",URI="en.m3u8"` + "\n",
		`#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="fr",URI="/fr.m3u8"` + "\n"
	const trick = `#EXT-X-I-FRAME-STREAM-INF:URI="trick.m3u8",BANDWIDTH=1` + "\n"
	const head, tail = "#EXTM3U\n#EXT-X-VERSION:4\n", "#EXT-X-INDEPENDENT-SEGMENTS\n"
	for _, c := range []struct {
		name, text string
		has        []string
		want       string
		removed    int
	}{
		{"one of two", head + low + high + tail, []string{"low"}, head + low + tail, 1},
		{"the other", head + low + high + tail, []string{"high"}, head + high + tail, 1},
		{"all", head + low + high, []string{"low", "high"}, head + low + high, 0},
		{"none", head + low + high, nil, head + low + high, 0},
		{"a rendition", head + en + fr + high, []string{"high", "en."}, head + en + high, 1},
		{"the last rendition of a group", head + en + high, []string{"high"}, head + en + high, 0},
		{"beside a kept one", head + trick + low + high, []string{"low", "trick"}, head + trick + low, 1},
		{"a line without a tag", head + low + "stray.m3u8\n" + high, []string{"low"}, head + low + "stray.m3u8\n", 1},
		{"without an end of line", head + low + strings.TrimSpace(high), []string{"low"}, head + low, 1},
		{"the playlist of a variant", head + "#EXTINF:2,\na.ts\n#EXTINF:2,\nb.ts\n", []string{"a.ts"},
			head + "#EXTINF:2,\na.ts\n#EXTINF:2,\nb.ts\n", 0},
	} {
		out, removed, _ := offer(HLS, c.text, c.has...)
		if out != c.want || removed != c.removed {
			t.Errorf("%s: %d removed\n%s\nwant %d\n%s", c.name, removed, out, c.removed, c.want)
		}
	}
	_, _, asked := offer(HLS, head+low+high+en+fr)
	want := []string{folder + "low.m3u8", "https://cdn.example/high.m3u8",
		folder + "en.m3u8", "http://a.example/fr.m3u8"}
	if !slices.Equal(asked, want) {
		t.Errorf("asked %q", asked)
	}
}

// TestBounds checks that a playlist asks for few URLs, each once.
func TestBounds(t *testing.T) {
	text := "#EXTM3U\n"
	for i := range 1000 {
		text += fmt.Sprintf("#EXT-X-STREAM-INF:BANDWIDTH=1\nv%d.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv0.m3u8\n", i)
	}
	if _, _, asked := offer(HLS, text); len(asked) != maxAsked {
		t.Errorf("%d URLs", len(asked))
	}
}

func TestLink(t *testing.T) {
	const text = "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"http://keys.example/k?a=1,b\",IV=0x1\n" +
		"#EXTINF:2,http://not/a/link\nhttp://cdn.example/s1.ts\r\n/root.ts\ns3.ts\n" +
		"//far.example/s4.ts\n#EXT-X-MAP:URI=\"i.mp4\"\n" +
		"data:x\nhttps://end.example/"
	const want = "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"[http://keys.example/k?a=1,b]\",IV=0x1\n" +
		"#EXTINF:2,http://not/a/link\n[http://cdn.example/s1.ts]\r\n[http://a.example/root.ts]\ns3.ts\n" +
		"[http://far.example/s4.ts]\n#EXT-X-MAP:URI=\"i.mp4\"\ndata:x\n[https://end.example/]"
	var out strings.Builder
	link := func(url string) string { return "[" + url + "]" }
	if err := Link(&out, strings.NewReader(text), at, link); err != nil || out.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out.String(), want)
	}
	long := "http://a.example/" + strings.Repeat("x", 3*maxLine) + "\nhttp://b.example/\n"
	out.Reset()
	if err := Link(&out, strings.NewReader(long), at, link); err != nil ||
		out.String() != strings.Replace(long, "http://b.example/", "[http://b.example/]", 1) {
		t.Errorf("a long line: %v, %d bytes", err, out.Len())
	}
}

func mpd(sets ...string) string {
	return `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period>` + strings.Join(sets, "") +
		"</Period></MPD>\n"
}

func TestDASH(t *testing.T) {
	const template = `<SegmentTemplate initialization="$RepresentationID$/i.mp4" ` +
		`media="$RepresentationID$/$Number$.m4s"/>`
	const low = `<Representation id="low" bandwidth="1"/>`
	const high = `<Representation id="high" bandwidth="9"></Representation>`
	const sound = `<AdaptationSet><Representation id="s"><BaseURL>sound.mp4</BaseURL></Representation></AdaptationSet>`
	for _, c := range []struct {
		name, text string
		has        []string
		want       string
	}{
		{"one of two", mpd("<AdaptationSet>"+template+low+" "+high+"</AdaptationSet>", sound),
			[]string{"/low/i", "sound"}, mpd("<AdaptationSet>"+template+low+" </AdaptationSet>", sound)},
		{"none", mpd("<AdaptationSet>" + template + low + high + "</AdaptationSet>"), nil,
			mpd("<AdaptationSet>" + template + low + high + "</AdaptationSet>")},
		{"none of one set", mpd("<AdaptationSet>"+template+low+high+"</AdaptationSet>", sound), []string{"high/i"},
			mpd("<AdaptationSet>"+template+high+"</AdaptationSet>", sound)},
		{"broken", "<MPD><AdaptationSet>" + low + high, []string{"low"}, "<MPD><AdaptationSet>" + low + high},
	} {
		if out, _, _ := offer(DASH, c.text, c.has...); out != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, out, c.want)
		}
	}
}

// TestFirstPiece checks the URL by which the presence of a representation is judged.
func TestFirstPiece(t *testing.T) {
	for _, c := range []struct{ representation, want string }{
		{`<Representation id="a" bandwidth="7"><SegmentTemplate ` +
			`media="$Bandwidth$-$Number%03d$$$.m4s" startNumber="5"/>` +
			`</Representation>`, folder + "7-005$.m4s"},
		{`<Representation id="a"><SegmentTemplate media="$Number$.m4s"/></Representation>`, folder + "1.m4s"},
		{`<Representation><SegmentTemplate media="$Time$.m4s"><SegmentTimeline><S t="90" d="2"/><S t="92" d="2"/>` +
			`</SegmentTimeline></SegmentTemplate></Representation>`, folder + "90.m4s"},
		{`<Representation><SegmentTemplate media="$Time$.m4s"><SegmentTimeline><S d="2"/><S t="92" d="2"/>` +
			`</SegmentTimeline></SegmentTemplate></Representation>`, folder + "0.m4s"},
		{`<BaseURL>http://cdn.example/x/</BaseURL><BaseURL>http://other.example/</BaseURL>` +
			`<Representation><BaseURL>a.mp4</BaseURL></Representation>`, "http://cdn.example/x/a.mp4"},
		{`<Representation><BaseURL>d/</BaseURL><SegmentList><SegmentURL media="1.m4s"/><SegmentURL media="2.m4s"/>` +
			`</SegmentList></Representation>`, folder + "d/1.m4s"},
		{`<Representation><SegmentList><Initialization sourceURL="i.mp4"/><SegmentURL media="1.m4s"/></SegmentList>` +
			`</Representation>`, folder + "i.mp4"},
		{`<Representation><BaseURL>a.mp4</BaseURL>` +
			`<SegmentBase indexRange="1-2"><Initialization range="0-1"/></SegmentBase>` +
			`</Representation>`, folder + "a.mp4"},
		{`<Representation id="a"/>`, ""},
	} {
		_, _, asked := offer(DASH, mpd("<AdaptationSet>"+c.representation+"</AdaptationSet>"))
		if got := strings.Join(asked, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.representation, got, c.want)
		}
	}
}

func FuzzOffer(f *testing.F) {
	f.Add(true, "#EXTM3U\n#EXT-X-STREAM-INF:A=\"\nx\n#EXT-X-MEDIA:URI=,\n")
	f.Add(false, mpd(`<AdaptationSet><Representation id="a"><BaseURL>x</BaseURL></Representation></AdaptationSet>`))
	f.Fuzz(func(t *testing.T, hls bool, text string) {
		form := DASH
		if hls {
			form = HLS
		}
		out, removed, _ := offer(form, text, "a")
		if len(out) > len(text) || removed == 0 && out != text {
			t.Errorf("%d removed: %q", removed, out)
		}
		var linked strings.Builder
		err := Link(&linked, strings.NewReader(text), at, func(string) string { return "" })
		if err != nil || linked.Len() > len(text) {
			t.Errorf("%v, %q", err, linked.String())
		}
	})
}
