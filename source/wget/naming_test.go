package wget

import (
	"slices"
	"strings"
	"testing"
)

// TestBackups has the names that -K and -E give to backups.
func TestBackups(t *testing.T) {
	tr := folder(t, map[string]string{"a/x.html": "1", "a/y.html": "1", "a/y.html.orig": "1", "a/x.orig": "1",
		"a/s.css": "1", "a/sorig": "1", "a/bad.html.gz": "1", "a/bad.htmorig": "1", "a/z.css.gz": "1",
		"a/z.csorig":   "1",
		"a/no.htmorig": "1", "a/morig": "1"})
	for backup, want := range map[string]string{"a/x.orig": "a/x.html", "a/y.html.orig": "a/y.html",
		"a/sorig": "a/s.css", "a/bad.htmorig": "a/bad.html.gz", "a/z.csorig": "a/z.css.gz", "a/no.htmorig": "",
		"a/morig": "", "a/x.html": ""} {
		if got := isBackup(tr, backup); got != want {
			t.Errorf("%s is the backup of %q, not %q", backup, got, want)
		}
	}
}

// TestOwnNames has the names of -nv logs: a file with the name of its URL came from no redirect.
func TestOwnNames(t *testing.T) {
	for _, c := range []struct {
		file, url string
		want      bool
	}{
		{"a+80/q@.html", "http://a:80/q?", true}, {"a/q@", "http://a/q?", true}, {"a/q?.html", "http://a/q?", true},
		{"a/q@a=1.html", "http://a/q?a=1", true}, {"a/bad.html.gz", "http://a/bad", true},
		{"a/old.html", "http://a/new", false}, {"a/q@a=2", "http://a/q?a=1", false},
	} {
		if got := ownName(c.file, c.url); got != c.want {
			t.Errorf("%s of %s: %v", c.file, c.url, got)
		}
	}
}

// TestURLOfPath derives URLs from file names, with the assumed parts. The names come from Wget
// 1.21.3.
func TestURLOfPath(t *testing.T) {
	const scheme = "scheme"
	for _, c := range []struct {
		path    string
		layout  layout
		added   bool
		url     string
		assumed string // the beginnings of the assumptions
	}{
		{"a.test/doc.pdf", layout{}, false, "http://a.test/doc.pdf", scheme},
		{"127.0.0.1:8899/dir/sub.html", layout{}, false, "http://127.0.0.1:8899/dir/sub.html", scheme},
		{"a.test:443/x", layout{}, false, "https://a.test:443/x", scheme},
		{"https/a.test/x", layout{protocol: true}, false, "https://a.test/x", ""},
		{"a.test+8899/page@id=1", layout{windows: true}, false, "http://a.test:8899/page?id=1", scheme + ";that @"},
		{"a.test/logo@2x.png", layout{windows: true}, false, "http://a.test/logo@2x.png", scheme},
		{"a.test/page@id=1", layout{}, false, "http://a.test/page@id=1", scheme},
		{"a.test/index.html", layout{}, false, "http://a.test/", scheme + ";that the path"},
		{"a.test/dir/index.html?q=1", layout{}, false, "http://a.test/dir/?q=1", scheme + ";that the path"},
		{"a.test/page?id=1.html", layout{}, false, "http://a.test/page?id=1", scheme + ";that -E"},
		{"a.test/page?id=1.html", layout{}, true, "http://a.test/page?id=1", scheme},
		{"a.test/x.php.html", layout{}, false, "http://a.test/x.php", scheme + ";that -E"},
		{"a.test/dir.html", layout{}, true, "http://a.test/dir", scheme},
		{"a.test/dir.html", layout{}, false, "http://a.test/dir.html", scheme},
		{"a.test/q.css?v=2.css", layout{}, true, "http://a.test/q.css?v=2", scheme},
		{"a.test/x.asp?a=b&c=d%2Fe", layout{}, false, "http://a.test/x.asp?a=b&c=d/e", scheme + ";that the query"},
		{"a.test/a b/caf\xc3\xa9#1.html", layout{}, false, "http://a.test/a%20b/caf%C3%A9%231.html", scheme},
		{"a.test/caf\xe9 100%.html", layout{}, false, "http://a.test/caf%E9%20100%25.html", scheme},
		{"a.test/a%2Fb%3Fc", layout{}, false, "http://a.test/a%2Fb%3Fc", scheme},
		{"pages/x.html", layout{}, false, "", ""},
		{"x.html", layout{}, false, "", ""},
	} {
		u, ok := c.layout.urlOf(c.path, c.added)
		if !ok {
			u = derivedURL{}
		}
		if u.url != c.url || !begins(u.assumed, c.assumed) {
			t.Errorf("%s: %q, assumed %q", c.path, u.url, u.assumed)
		}
	}
}

func begins(list []string, beginnings string) bool {
	want := strings.Split(beginnings, ";")
	if beginnings == "" {
		want = nil
	}
	return slices.EqualFunc(list, want, strings.HasPrefix)
}

// TestOwnName distinguishes names from the URL itself and names from a redirect to it.
func TestOwnName(t *testing.T) {
	for _, c := range []struct {
		file, url string
		own       bool
	}{
		{"a.test/index.html", "http://a.test/", true}, {"index.html.1", "http://a.test/dir/", true},
		{"a.test/page?id=1.html", "http://a.test/page?id=1", true},
		{"a.test/page@id=1", "http://a.test/page?id=1", true},
		{"a.test/caf%c3%a9.html", "http://a.test/caf%C3%A9.html", true},
		{"a.test/x.asp?a=b&c=d%2Fe.html", "http://a.test/x.asp?a=b&c=d/e", true},
		{"a.test/upper.html", "http://a.test/UPPER.html", true},
		{"tmp/a&b=c.html.tmp", "http://a.test/a%26b%3Dc.html", true}, {"a.test/x", "http://a.test:80/x", true},
		{"a.test/dir.html", "http://a.test/dir/", false}, {"a.test/old.html", "http://a.test/new", false},
		{"a.test/cross.tmp", "http://b.test/pdf.pdf", false},
	} {
		if own := ownName(c.file, c.url); own != c.own {
			t.Errorf("%s of %s: %v", c.file, c.url, own)
		}
	}
}

func TestSpellings(t *testing.T) {
	if got := unescapeC(`caf\303\251 \'x\' \\`); got != `café 'x' \` {
		t.Errorf("%q", got)
	}
	if got := spellings(`a.test\x`); !slices.Contains(got, "a.test/x") {
		t.Errorf("%q", got)
	}
	if got := quoted("Impossible d’écrire dans «\u00a0a.test/d\u00a0» (Permission non accordée)."); !slices.Contains(
		got, "a.test/d") {
		t.Errorf("%q", got)
	}
}
