package pack

import "testing"

func TestVersionIn(t *testing.T) {
	for software, want := range map[string]string{
		"Heritrix/3.4.0-20200518 http://crawler.archive.org": "3.4.0-20200518",
		"Heritrix/@VERSION@ http://crawler.archive.org":      "",
		"Wget/1.16.2 (darwin14.1.0)":                         "1.16.2",
		"HTTrack 3.49-2":                                     "3.49-2",
		"Browsertrix-Crawler 1.2.3 (with warcio.js 2.3.1)":   "1.2.3",
		"Web Curator Tool 1.4.0-GA":                          "1.4.0-GA",
		"warcio.js":                                          "",
		"NetarchiveSuite v5.2":                               "5.2",
		"crawler (see http://x.example/2.0)":                 "",
		"":                                                   "",
	} {
		if got := versionIn(software); got != want {
			t.Errorf("%q has version %q, want %q", software, got, want)
		}
	}
}
