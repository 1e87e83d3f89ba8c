package surt

import (
	"slices"
	"strings"
	"testing"
)

// keys are the results of pywb 2.10 for these URLs (interop/cdx checks them again), unless noted.
var keys = [][2]string{
	{"http://www.example.org:80/a/?b=2&a=1#there", "org,example)/a?a=1&b=2"},
	{"https://example.org:443/", "org,example)/"},
	{"https://example.org:80/", "org,example:80)/"},
	{"http://example.org:00080/x", "org,example)/x"},
	{"HTTP://WWW2.Example.ORG/A/B", "org,example)/a/b"},
	{"http://www.com/", "com)/"},
	{"http://www.www.example.org/", "org,example,www)/"},
	{"http://www-1.example.org/", "org,example,www-1)/"},
	{"http://user:p@ss@example.org:81/x", "org,example:81)/x"},
	{"http://example.org", "org,example)/"},
	{"http://example.org?a=b", "org,example)/?a=b"},
	{"http://example.org/path/?a", "org,example)/path?a"},
	{"http://example.org/a//b///c", "org,example)/a/b/c"},
	{"http://example.org/a/./b/../c", "org,example)/a/c"},
	{"http://example.org/../c", "org,example)/../c"},
	{"http://example.org/a/b/../", "org,example)/a"},
	{"http://example.org/%2e%2e/%7Efoo", "org,example)/../~foo"},
	{"http://example.org/%25%32%35", "org,example)/%25"},
	{"http://example.org/%2%35%34%31", "org,example)/a"},
	{"http://example.org/100%", "org,example)/100%25"},
	{"http://example.org/é?É", "org,example)/%c3%a9?%c3%89"},
	{"http://example.org/%E9", "org,example)/%e9"},
	{"http://example.org/x?a=b&jsessionid=0123456789abcdef0123456789abcdef&c=d", "org,example)/x?a=b&c=d"},
	{"http://example.org/x?PHPSESSID=0123456789abcdef0123456789abcdef&b=c", "org,example)/x?b=c"},
	{"http://example.org/x?sid=0123456789abcdef0123456789abcdefX&b=c",
		"org,example)/x?b=c&sid=0123456789abcdef0123456789abcdefx"},
	{"http://example.org/x?ASPSESSIONIDAAAAAAAA=abcdefghijklmnopqrstuvwx&b=c", "org,example)/x?b=c"},
	{"http://example.org/x?cfid=1&cftoken=2", "org,example)/x"},
	{"http://example.org/(S(012345678901234567890123))/page.aspx", "org,example)/page.aspx"},
	{"http://example.org/(012345678901234567890123)/page.aspx?x=1", "org,example)/page.aspx?x=1"},
	{"http://example.org/(S(012345678901234567890123))/page.html",
		"org,example)/(s(012345678901234567890123))/page.html"},
	{"http://127.0.0.1/x", "1,0,0,127)/x"},
	{"http://2130706433/x", "1,0,0,127)/x"},
	{"http://017.0.0.1/x", "1,0,0,15)/x"},
	{"http://1.2.3/", "3,0,2,1)/"},
	{"http://256.1.1.1/", "1,1,1,256)/"},
	{"http://[2001:DB8::1]:8080/x", "2001:db8::1:8080)/x"},
	{"http://.example..org./x", "org,example)/x"},
	{"http://MAÑANA.com/", "com,xn--maana-pta)/"},
	{"http://faß.de/", "de,fass)/"},
	{"http://日本語.jp/", "jp,xn--wgv71a119e)/"},
	{"http://exam ple.org/x", "org,exam%20ple)/x"},
	{"http://%20/", "%20)/"},
	{"http://example.org/?b&a&B&A=&a=&a", "org,example)/?a&a&a=&a=&b&b"},
	{"http://example.org/?a=%26", "org,example)/?&a="},
	{"http://example.org/?q=a+b%20c", "org,example)/?q=a+b%20c"},
	{"ftp://www.example.org:21/x", "org,example:21)/x"},
	{"whois://whois.arin.net/10.0.0.0", "net,arin,whois)/10.0.0.0"},
	{"http:///example.org/x", "org,example)/x"},
	{"example.org/foo", "org,example)/foo"},
	{"urn:pageinfo:http://A.org/", "urn:pageinfo:http://a.org"},
	{"dns:example.org", "dns:example.org"},
	{"filedesc://foo.arc", "filedesc://foo.arc"},
	{" http://exa\nmple.org/\t", "org,example)/"},
	{"", "-"},

	// pywb fails on these, or mistakes a host for a scheme.
	{"http://example.org:abc/x", "org,example:abc)/x"},
	{"http://example.org:65536/", "org,example:65536)/"},
	{"example.org:8080/x", "org,example:8080)/x"},
	{"http://ex%F1.com/", "com,ex%f1)/"},
}

func TestKey(t *testing.T) {
	for _, c := range keys {
		if got := Key(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}

func TestPrefix(t *testing.T) {
	for url, want := range map[string]string{
		"http://example.org/path": "org,example)/path", "http://example.org/path/": "org,example)/path/",
		"http://example.org/path?": "org,example)/path?", "http://example.org/path/?": "org,example)/path?",
		"example.org": "org,example)/",
	} {
		if got := Prefix(url); got != want {
			t.Errorf("%q: %q, want %q", url, got, want)
		}
	}
	if host, port, ok := Host("https://www.example.org:8443/x"); host != "org,example" || port != ":8443" || !ok {
		t.Errorf("host %q %q %v", host, port, ok)
	}
	if _, _, ok := Host("urn:a:b"); ok {
		t.Error("a URN has a host")
	}
}

// TestWithRequest checks the example of the draft, and the results of pywb for other bodies.
func TestWithRequest(t *testing.T) {
	example := `{"type": "event", "id": 44.0, "values": [true, false, null], "source": {"type": "component", "id": ` +
		`"a+b&c= d", "values": [3, 4]}}`
	multipart := "--xx\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb c\r\n--xx\r\nContent-Disposition: " +
		"form-data; name=\"f\"; filename=\"x\"\r\n\r\n\x00\xff\r\n--xx--\r\n"
	for _, c := range []struct{ url, method, kind, body, want string }{
		{"http://e.org/", "GET", "", "x", "http://e.org/"},
		{"http://e.org/", "HEAD", "", "", "http://e.org/?__wb_method=HEAD"},
		{"http://e.org/?foo&", "post", "", "", "http://e.org/?foo&&__wb_method=POST"},
		{"http://e.org/#x", "PUT", "", "", "http://e.org/?__wb_method=PUT"},
		{"http://e.org/chat", "POST", "", "hello", "http://e.org/chat?__wb_method=POST&__wb_post_data=aGVsbG8="},
		{"http://e.org/", "POST", "application/json; charset=utf-8", example,
			"http://e.org/?__wb_method=POST&type=event&id=44.0&values=True&values.2_=False&values.3_=None&" +
				"type.2_=component&id.2_=a%2Bb%26c%3D+d&values.4_=3&values.5_=4"},
		{"http://e.org/", "POST", "application/json", `{"a": `, "http://e.org/?__wb_method=POST"},
		{"http://e.org/", "POST", "text/plain", `{"a": "b"}`, "http://e.org/?__wb_method=POST&a=b"},
		{"http://e.org/", "POST", "text/plain", `{"a": `, "http://e.org/?__wb_method=POST&__wb_post_data=eyJhIjog"},
		{"http://e.org/", "POST", "application/x-www-form-urlencoded", "a=b+c&d=%C3%A9&e=100%",
			"http://e.org/?__wb_method=POST&a=b c&d=é&e=100%"},
		{"http://e.org/", "POST", "application/x-www-form-urlencoded", "a=\xff",
			"http://e.org/?__wb_method=POST&__wb_post_data=YT3/"},
		{"http://e.org/", "POST", "multipart/form-data; boundary=xx", multipart,
			"http://e.org/?__wb_method=POST&a=b+c&f=%00%FF"},
		{"http://e.org/", "POST", "multipart/form-data", "ab", "http://e.org/?__wb_method=POST&__wb_post_data=YWI="},
	} {
		if got := WithRequest(c.url, c.method, c.kind, []byte(c.body)); got != c.want {
			t.Errorf("%s %s %q:\n %q, want\n %q", c.method, c.kind, c.body, got, c.want)
		}
	}
	for _, kind := range []string{"application/json", "text/plain", "application/x-www-form-urlencoded",
		"multipart/form-data; boundary=x", ""} {
		for _, body := range []string{strings.Repeat("[", 1<<17), strings.Repeat("%25", 1<<16),
			`{"a":[` + strings.Repeat("1,", 1<<16) + "1]}", strings.Repeat("a", MaxBody+1)} {
			if got := WithRequest("http://e.org/", "POST", kind, []byte(body)); len(got) > 6000 {
				t.Errorf("%s: %d bytes", kind, len(got))
			}
		}
	}
}

// TestLong checks that the time is linear in the length: with a quadratic step this test would not
// end.
func TestLong(*testing.T) {
	for _, part := range []string{"%25", "a/../", "../", "a.", "&", "&sid=", "www.", "é.", "(a(", "[", "%", "@", ":"} {
		long := strings.Repeat(part, 1<<17/len(part))
		Key("http://" + long)
		Key("http://example.org/" + long + ".aspx?" + long)
	}
}

func FuzzKey(f *testing.F) {
	for _, c := range keys {
		f.Add(c[0])
	}
	f.Fuzz(func(t *testing.T, url string) {
		key := Key(url)
		if i := slices.IndexFunc([]byte(key), func(c byte) bool { return c <= ' ' || c > '~' }); i >= 0 || key == "" {
			t.Fatalf("%q has the key %q", url, key)
		}
		if len(key) > 8*len(url)+32 {
			t.Fatalf("%q has a key of %d bytes", url, len(key))
		}
		if !strings.HasPrefix(Prefix(url), key) {
			t.Fatalf("%q: prefix %q, key %q", url, Prefix(url), key)
		}
		_ = WithRequest(url, "POST", "application/json", []byte(url))
		_ = WithRequest(url, "POST", "multipart/form-data; boundary=a", []byte(url))
	})
}
