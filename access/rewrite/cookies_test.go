package rewrite

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestCookies checks which captured cookies a page sees.
func TestCookies(t *testing.T) {
	at := time.Date(2015, 6, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ page, set, want string }{
		{"http://a.example/dir/x", "a=1", "[[a 1]]"},
		{"http://a.example/dir/x", "a=1; HttpOnly", "[]"},
		{"http://a.example/dir/x", "a=1; Secure", "[]"},
		{"https://a.example/dir/x", "a=1; Secure", "[[a 1]]"},
		{"http://a.example/dir/x", "a=1; Path=/dir", "[[a 1]]"},
		{"http://a.example/dir/x", "a=1; Path=/di", "[]"},
		{"http://a.example/dir/x", "a=1; Path=/other/", "[]"},
		{"http://a.example", "a=1; Path=/", "[[a 1]]"},
		{"http://www.a.example/", "a=1; Domain=.A.example", "[[a 1]]"},
		{"http://a.example/", "a=1; Domain=www.a.example", "[]"},
		{"http://a.example/", "a=1; Domain=b.example", "[]"},
		{"http://ba.example/", "a=1; Domain=a.example", "[]"},
		{"http://10.0.0.1/", "a=1; Domain=0.0.1", "[]"},
		{"http://a.example/", "a=1; Max-Age=0", "[]"},
		{"http://a.example/", "a=1; Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "[[a 1]]"},
		{"http://a.example/", "a=1; Expires=Wed, 01 Jul 2015 00:00:00 GMT", "[[a 1]]"}, // not yet then
		{"http://a.example/", "a=1; Expires=Mon, 01 Jun 2015 00:00:00 GMT", "[]"},
		{"https://a.example/", "__Host-a=1; Secure; Path=/", "[[__Host-a 1]]"},
		{"https://a.example/", "__Host-a=1; Secure; Path=/; Domain=a.example", "[]"},
		{"https://a.example/", "__Secure-a=1", "[]"},
		{"http://a.example/", `a="x y"`, `[[a "x y"]]`},
		{"http://a.example/", "=;", "[]"},
		{"http://a.example/", `a={"b":"\c"}`, `[[a {"b":"\c"}]]`},
		{"http://a.example/", "a=\u00e9\u2028", "[[a \u00e9\u2028]]"},
		{"http://a.example/", "a=1\x01", "[]"},
		{"http://a.example/", " a b = c\td ;HttpOnlyish", "[[a b c\td]]"},
		{"http://a.example/", "flag", "[[ flag]]"},
		{"http://a.example/", "a=1; Domain=example", "[]"},
		{"http://a.co.uk/", "a=1; Domain=co.uk", "[]"},
		{"http://localhost/", "a=1; Domain=localhost", "[[a 1]]"},
		{"http://a.example/dir/x", "a=1|a=deleted; Max-Age=0", "[]"},
		{"http://a.example/dir/x", "a=1|a=2; Expires=Thu, 01-Jan-1970 00:00:00 GMT; Path=/dir; Domain=a.example", "[]"},
		{"http://a.example/dir/x", "a=1|a=2; HttpOnly", "[]"},
		{"http://a.example/dir/x", "a=1|a=2; Max-Age=0; Path=/", "[[a 1]]"}, // another cookie
		{"http://a.example/dir/x", "a=1|a=2|a=3", "[[a 3]]"},
		{"http://a.example/", "a=" + strings.Repeat("<", maxCookieBytes/6), "[]"}, // as it is written
		{"http://a.example/", "a=" + strings.Repeat("x", maxCookieBytes), "[]"},
	} {
		fields := []Field{{"Cookie", "z=1"}}
		for set := range strings.SplitSeq(tt.set, "|") {
			fields = append(fields, Field{"set-cookie", set})
		}
		if got := fmt.Sprint(Cookies(tt.page, at, fields)); got != tt.want {
			t.Errorf("%s at %s: %s, not %s", tt.set, tt.page, got, tt.want)
		}
	}
	var many []Field
	for i := range 3 * maxCookies {
		many = append(many, Field{"Set-Cookie", fmt.Sprintf("a%d=1", i)})
	}
	if n := len(Cookies("http://a.example/", at, many)); n != maxCookies {
		t.Errorf("%d cookies", n)
	}
}

// TestMarkupIsASCII checks that a page in any charset can have the cookies.
func TestMarkupIsASCII(t *testing.T) {
	got := string(Markup{Cookies: []Cookie{{"a", "\u00e9\u2028\U0001F600<"}}}.HTML())
	if !strings.Contains(got, `\u00e9\u2028\ud83d\ude00\u003c`) {
		t.Error(got)
	}
}
