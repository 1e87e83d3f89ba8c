package secret

import (
	"strings"
	"testing"
)

func TestInURL(t *testing.T) {
	for _, c := range []struct{ in, concealed string }{
		{"http://anna:geheim@a.test/x", "http://anna:…@a.test/x"},
		{`-P anna:geheim@proxy:80 -w`, `-P anna:…@proxy:80 -w`},
		{"http://anna@a.test/", ""}, {"http://a.test/x:y@z", ""}, {"mailto:anna@a.test", ""},
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
