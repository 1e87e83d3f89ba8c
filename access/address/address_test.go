package address

import (
	"strings"
	"testing"
)

func TestParseReplay(t *testing.T) {
	all := In{Collection: "all"}
	for target, want := range map[string]Request{
		"/all/20150102030405mp_/http://a.example/?q=1&b=/c//d": {Kind: Capture, In: all, Timestamp: "20150102030405",
			Modifier: Page, URL: "http://a.example/?q=1&b=/c//d"},
		"/all/2015/http://a.example/": {Kind: Capture, In: all, Timestamp: "2015",
			URL: "http://a.example/"},
		"/all/2015id_/https:/a.example/x": {Kind: Capture, In: all, Timestamp: "2015",
			Modifier: Identity, URL: "https://a.example/x"},
		"/all/2015id_/a.example:8080/x": {Kind: Capture, In: all, Timestamp: "2015",
			Modifier: Identity, URL: "http://a.example:8080/x"},
		"/all/2015//a.example/x": {Kind: Capture, In: all, Timestamp: "2015",
			URL: "http://a.example/x"},
		"/all/2015/http%3A%2F%2Fa.example%2Fx%3Fy": {Kind: Capture, In: all, Timestamp: "2015",
			URL: "http://a.example/x?y"},
		"/all/2015/http://a.example/%2F%3A": {Kind: Capture, In: all, Timestamp: "2015",
			URL: "http://a.example/%2F%3A"},
		"/all/2015/urn:uuid:1": {Kind: Capture, In: all, Timestamp: "2015",
			URL: "urn:uuid:1"},
		"/all/http://a.example/2015/x": {Kind: TimeGate, In: all,
			URL: "http://a.example/2015/x"},
		"/all/a.example": {Kind: TimeGate, In: all, URL: "http://a.example"},
		"/all/mp_/http://a.example/": {Kind: TimeGate, In: all, Modifier: Page,
			URL: "http://a.example/"},
		"/all/*/http://a.example/": {Kind: Calendar, In: all, URL: "http://a.example/"},
		"/all/timemap/link/http://a.example/?x": {Kind: TimeMap, In: all, Format: "link",
			URL: "http://a.example/?x"},
		"/all/timemap/json/20150102030405/http://a.example/": {Kind: TimeMap, In: all, Format: "json",
			From: "20150102030405", URL: "http://a.example/"},
		"/all/cdx?url=http://a.example/*&limit=3": {Kind: CDX, In: all,
			Query: "url=http://a.example/*&limit=3"},
		"http://h.example/all/2015/http://a.example/": {Kind: Capture, In: all, Timestamp: "2015",
			URL: "http://a.example/"},
		"/a%2Fb~k1.x-_/2015/http://a.example/": {Kind: Capture,
			In: In{Collection: "a/b", Capability: "k1.x-_"}, Timestamp: "2015", URL: "http://a.example/"},
		"/all~~pt-BR/2015/http://a.example/": {Kind: Capture, In: In{Collection: "all", Language: "pt-BR"},
			Timestamp: "2015", URL: "http://a.example/"},
	} {
		if got, ok := ParseReplay(target); !ok || got != want {
			t.Errorf("%s: %+v %v", target, got, ok)
		}
	}
	for _, target := range []string{"", "*", "/", "/all", "/all/", "/all/2015/", "/all/2015/http://", "//x",
		"/%zz/a.example/",
		"/all/timemap/link/", "/all/timemap/link", "h.example:443", "/all~~d_e/2015/http://a.example/",
		"/all~k~~de/2015/http://a.example/", "/all~~" + strings.Repeat("e", 36) + "/2015/http://a.example/"} {
		if got, ok := ParseReplay(target); ok {
			t.Errorf("%s was taken: %+v", target, got)
		}
	}
}

// TestMadeAndRead parses addresses that the package built.
func TestMadeAndRead(t *testing.T) {
	for _, in := range []In{{Collection: "urn:uuid:a/b~c ü", Capability: "abc.def"},
		{Collection: "all", Language: "de"}, {Collection: "a~~b", Capability: "abc.def", Language: "zh-Hant"}} {
		testMadeAndRead(t, in)
	}
}

func testMadeAndRead(t *testing.T, in In) {
	for _, archived := range []string{"http://a.example/?q=1#x y", "http://a.example/é\"<'>\\",
		"https://a.example//b//%2f?u=http://b.example/", "urn:x:1"} {
		escaped := EscapeURL(archived)
		if strings.ContainsAny(escaped, " #\"<>\\") {
			t.Error(escaped)
		}
		for at, kind := range map[string]Kind{
			Replay("").Capture(in, "20150102030405", Page, archived):   Capture,
			Replay("").TimeGate(in, "", archived):                      TimeGate,
			Replay("").TimeGate(in, Identity, archived):                TimeGate,
			Replay("").TimeMap(in, "cdxj", "20150102030405", archived): TimeMap,
		} {
			got, ok := ParseReplay(at)
			if !ok || got.Kind != kind || got.In != in || got.URL != escaped {
				t.Errorf("%s: %+v", at, got)
			}
		}
		if p, ok := ParseUI(UI("").VersionsIn(in.Collection, "201501", archived)); !ok || p.Kind != Versions ||
			p.Period != "201501" || p.URL != escaped || p.In.Collection != in.Collection {
			t.Errorf("%+v", p)
		}
	}
}

func TestParseUI(t *testing.T) {
	u := UI("")
	for target, want := range map[string]Place{
		u.Front():                   {Request: Request{Kind: Front}},
		"/?lang=en":                 {Request: Request{Kind: Front}, Arguments: "lang=en"},
		u.Search("a b"):             {Request: Request{Kind: Search}, Arguments: "q=a+b"},
		u.Site("p/1"):               {Request: Request{Kind: Site}, ID: "p/1"},
		u.Collection("c"):           {Request: Request{Kind: Collection}, ID: "c"},
		u.Harvest("p", 3):           {Request: Request{Kind: Harvest}, ID: "p", Number: 3},
		u.History("p"):              {Request: Request{Kind: History}, ID: "p"},
		u.File("p", "logs/a b.txt"): {Request: Request{Kind: File}, ID: "p", Path: "logs/a b.txt"},
		u.Export("p", "wacz"):       {Request: Request{Kind: Export}, ID: "p", Arguments: "as=wacz"},
		u.Static("quire.css"):       {Request: Request{Kind: Static}, Path: "quire.css"},
		u.Banner("all", "20150102030405",
			"http://a.b/?x"): {Request: Request{Kind: Banner, In: In{Collection: "all"}, Timestamp: "20150102030405",
			URL: "http://a.b/?x"}},
		u.Latest("all", "http://a.b/"): {Request: Request{Kind: TimeGate, In: In{Collection: "all"},
			URL: "http://a.b/"}, Arguments: ""},
		u.Compare("all", "http://a.b/?x", "2015", "2016"): {Request: Request{Kind: Compare, In: In{Collection: "all"}},
			Arguments: "a=2015&b=2016&url=http%3A%2F%2Fa.b%2F%3Fx"},
	} {
		if got, ok := ParseUI(target); !ok || got != want {
			t.Errorf("%s: %+v %v", target, got, ok)
		}
	}
	for _, target := range []string{"", "/site/", "/site", "/harvest/p", "/harvest/p/0", "/harvest/p/x", "/file/p/../q",
		"/file/p/a%2F..%2Fb", "/file/p/%00", "/static/", "/search/x", "/versions/all/", "/compare/"} {
		if got, ok := ParseUI(target); ok {
			t.Errorf("%s was taken: %+v", target, got)
		}
	}
}

func TestTime(t *testing.T) {
	for in, want := range map[string]string{"2015": "20150101000000", "201507": "20150701000000",
		"20150230": "20150201000000", "20150102030405": "20150102030405", "2015010": "20150101000000"} {
		if got, ok := Time(in); !ok || Timestamp(got) != want {
			t.Errorf("%s: %v", in, got)
		}
	}
	if _, ok := Time("201"); ok {
		t.Error("201")
	}
}

// FuzzParseReplay checks that no request gives an address with control characters, and that parsed
// addresses survive a round trip.
func FuzzParseReplay(f *testing.F) {
	for _, s := range []string{"/all/20150102030405mp_/http://a.example/?q", "/a~b/timemap/link/20150102030405/x",
		"/all/cdx?url=x", "/all/*/h", "http://h/all/2015/h:80/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, target string) {
		_, _ = ParseUI(target)
		q, ok := ParseReplay(target)
		if !ok || q.Kind != Capture {
			return
		}
		if strings.ContainsAny(q.URL, "\r\n\x00") {
			t.Fatalf("%q", q.URL)
		}
		again, ok := ParseReplay(Replay("").Capture(q.In, q.Timestamp, q.Modifier, q.URL))
		if !ok || again.In != q.In || again.Timestamp != q.Timestamp || again.URL != EscapeURL(q.URL) {
			t.Fatalf("%+v\n%+v", q, again)
		}
	})
}
