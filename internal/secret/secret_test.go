package secret

import (
	"strings"
	"testing"
)

func TestInURL(t *testing.T) {
	for _, c := range []struct{ in, concealed string }{
		{"http://anna:geheim@a.test/x", "http://anna:…@a.test/x"},
		{`-P anna:geheim@proxy:80 -w`, `-P anna:…@proxy:80 -w`},
		{"http://anna@mail.test:geheim@a.test/", "http://anna@mail.test:…@a.test/"},
		{"http://:geheim@a.test/", "http://:…@a.test/"}, {"http://anna:ge@he:im@a.test/", "http://anna:…@a.test/"},
		{`http:\\anna:geheim@a.test/`, `http:\\anna:…@a.test/`},
		{"/web/http:/x/?u=ftp://u:p@h/ and http://a:b@c/", "/web/http:/x/?u=ftp://u:…@h/ and http://a:…@c/"},
		{`{"url":"http://anna:ge@a.test/","mail":"a:b@c"}`, `{"url":"http://anna:…@a.test/","mail":"a:b@c"}`},
		{`http://anna:ge"he<im@a.test/`, "http://anna:…@a.test/"},
		{"is \"http://anna:a<b\\\"c'd&e@a.test/\"", "is \"http://anna:…@a.test/\""},
		{"http://b.test/?u=http%3A%2F%2Fanna%3Ageheim%40a.test%2F&m=a%40b",
			"http://b.test/?u=http%3A%2F%2Fanna:…@a.test%2F&m=a%40b"},
		{"http://anna@a.test/", ""}, {"http://a.test/x:y@z", ""}, {"mailto:anna@a.test", ""},
		{"see http://a.test, or ask: b@c.test", ""}, {`"http://a.test:80","b@c.test"`, ""},
	} {
		want, has := c.concealed, c.concealed != ""
		if !has {
			want = c.in
		}
		if InURL([]byte(c.in)) != has || Conceal(c.in) != want {
			t.Errorf("%q: %v, %q", c.in, InURL([]byte(c.in)), Conceal(c.in))
		}
	}
	if at, found, err := Text(strings.NewReader("a\nftp://u:p@h/\n")); at != 2 || !found || err != nil {
		t.Error(at, found, err)
	}
}

func TestWithout(t *testing.T) {
	for in, want := range map[string]string{
		"http://anna:geheim@a.test/x":               "http://a.test/x",
		"http://token@a.test/x":                     "http://a.test/x",
		"http://anna@mail.test:ge\"he<im@a.test:8/": "http://a.test:8/",
		"//:p@h/": "//h/",
		"http://a.test/?to=ftp://u:p@h/&mail=a@b":    "http://a.test/?to=ftp://h/&mail=a@b",
		"http://a.test/@me":                          "http://a.test/@me",
		"http://a.test//lodash@4.17/x":               "http://a.test//lodash@4.17/x",
		"http:/u:p@h/":                               "http:/h/",
		"http://a.test/?u=http%3a%2F%2Fu%3Ap%40h%2F": "http://a.test/?u=http%3a%2F%2Fh%2F",
		"http://a.test/?u=https://g.test@v1/x":       "http://a.test/?u=https://g.test@v1/x",
		"mailto:anna@a.test":                         "mailto:anna@a.test",
		"urn:x":                                      "urn:x",
	} {
		if got := Without(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func TestCookies(t *testing.T) {
	head := "# Netscape HTTP Cookie File\n# a\tb\tc\td\te\tf\tg\n"
	if _, found, err := Cookies(strings.NewReader(head)); found || err != nil {
		t.Errorf("a file of comments holds cookies; %v", err)
	}
	if at, found, err := Cookies(strings.NewReader(head + "#HttpOnly_a.test\tTRUE\t/\tFALSE\t0\tsid\tx\n")); !found ||
		err != nil || at != int64(len(head)) {
		t.Error(at, found, err)
	}
}
