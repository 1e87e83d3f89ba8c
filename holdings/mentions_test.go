package holdings_test

import (
	"testing"

	"quire/holdings"
	"quire/holdings/holdingstest"
)

// TestMentions: content of the open package may name the URLs of the matrix whose captures its readers may
// see, and no other; and URLs without a capture, unless a rule would close them.
func TestMentions(t *testing.T) {
	r, o, cases := holdingstest.Matrix(t)
	h := r.Open(o)
	for _, who := range []holdings.Reader{public, onsite, staff} {
		m := h.Mentions(who)
		may := func(pkg, url string) bool {
			t.Helper()
			is, err := m.May(t.Context(), pkg, 1, "20150102030405", url)
			if err != nil {
				t.Fatal(err)
			}
			return is
		}
		for _, c := range cases {
			for range 2 { // the second answer is from memory
				if got, want := may("open", c.URL), c.Of(who.Class) == holdingstest.Allowed; got != want {
					t.Errorf("%s: %s may be named: %v, want %v", who.Class, c.URL, got, want)
				}
			}
		}
		if !may("open", "http://elsewhere.example/") {
			t.Errorf("%s: a URL that is not captured may not be named", who.Class)
		}
		if got := may("open", "http://open.example/staff/not-captured"); got != (who.Class == holdings.Staff) {
			t.Errorf("%s: a URL that a rule would hide may be named: %v", who.Class, got)
		}
		if may("no-such-package", "http://elsewhere.example/") {
			t.Errorf("%s: a package that is gone names a URL", who.Class)
		}
	}
}
