package portable

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestPortableNames checks that names that some file system refuses are encoded. All file systems
// accept the encoded names. The store refuses the original names.
func TestPortableNames(t *testing.T) {
	for in, want := range map[string]string{
		"crawl.warc.gz": "crawl.warc.gz", ".htaccess": ".htaccess", "100%.log": "100%.log", "größe": "größe",
		"com10":       "com10",
		"http://x/?q": "http%3A//x/%3Fq", "a:b%": "a%3Ab%25", "end.": "end%2E", "end. .": "end%2E%20%2E",
		"nul":     "%6Eul",
		"Aux.txt": "%41ux.txt", "a/con.log/b": "a/%63on.log/b", `a"<|>*`: "a%22%3C%7C%3E%2A", "...": "%2E%2E%2E",
	} {
		if got := Name(in); got != want {
			t.Errorf("%q is written %q, want %q", in, got, want)
		}
	}
	apart := Cases{}
	for _, c := range [][2]string{
		{"logs/A.log", "logs/A.log"}, {"logs/a.log", "logs/%61.log"}, {"logs/B/x", "logs/B/x"},
		{"logs/b/x", "logs/%62/x"}, {"logs/b/y", "logs/%62/y"},
	} {
		if got := apart.Distinct(c[0]); got != c[1] {
			t.Errorf("%s becomes %s, want %s", c[0], got, c[1])
		}
	}
}

// TestShorten shortens only names that are too long; they stay distinct, and valid.
func TestShorten(t *testing.T) {
	long := strings.Repeat("l", Longest)
	for _, name := range []string{long, "a/" + long + "/b", ""} {
		if got := Shorten(name); got != name {
			t.Errorf("%q becomes %q", name, got)
		}
	}
	seen := map[string]bool{}
	for _, name := range []string{long + ".html", long + "x.html", strings.Repeat("é", 130) + ".html",
		long + "%C3%A9.html",
		strings.Repeat("%C3%A9", 60) + ".html", strings.Repeat("%C3%A9", 61) + ".html", long[1:] + "é.html",
		"." + long + "html"} {
		for _, folder := range []string{"", "logs/"} {
			got := Shorten(folder + name)
			part, ok := strings.CutPrefix(got, folder)
			if !ok || len(part) > Longest || len(part) < Longest-8 || !utf8.ValidString(part) || seen[got] ||
				Name(part) != part || strings.HasSuffix(name, ".html") != strings.HasSuffix(part, ".html") ||
				strings.Contains(part, "%-") || strings.Contains(part, "%C-") || Shorten(folder+name) != got {
				t.Errorf("%q becomes %q, of %d bytes", name, got, len(part))
			}
			seen[got] = true
		}
	}
}
