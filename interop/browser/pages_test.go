package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestPages: each kind of our own pages fits a phone, in two languages, and needs no script. With
// QUIRE_SHOTS and QUIRE_AXE it also takes pictures and runs axe-core.
func TestPages(t *testing.T) {
	s := serve(t, paper(t), "languages: [de]", "downloads: [wacz, warc]", "sitemap: true")
	b := open(t, "MAP *.example ~NOTFOUND")
	b.visit(t, s.ui+"/site/")
	site := value[string](t, b, `document.querySelector(".cards a").pathname`)
	id := strings.TrimPrefix(site, "/site/")
	const page = "http://" + bannerHost + "/"
	for name, at := range map[string]string{"front": "/", "sites": "/site/", "collections": "/collection/",
		"title": site, "versions": "/versions/all/" + page, "versions-year": "/versions/all/2019/" + page,
		"versions-month": "/versions/all/201903/" + page, "versions-none": "/versions/all/" + page + "none",
		"compare": "/compare/all/?url=" + page + "&a=20140304050000&b=20150304050200",
		"harvest": "/harvest/" + id + "/1",
		"missed":  "/harvest/" + id + "/1/missed", "history": "/history/" + id, "search": "/search?q=news",
		"search-none": "/search?q=nothingatall", "search-files": "/search?q=calm&level=bytestream",
		"hosts": "/browse/all/", "addresses": "/browse/all/?url=" + page + "*", "error": "/site/none"} {
		status := 200
		if name == "error" || name == "versions-none" {
			status = 404
		}
		for _, language := range []string{"de", "en"} {
			b.do(t, "language", chromedp.Navigate(s.ui+"/-/language?to="+language+"&back=/"))
			b.do(t, "a phone", chromedp.EmulateViewport(390, 844))
			b.visit(t, s.ui+at)
			if is := value[int](t, b, `performance.getEntriesByType("navigation")[0].responseStatus`); is != status {
				t.Errorf("%s answers %d, not %d", name, is, status)
			}
			if wide := value[int](t, b, `document.documentElement.scrollWidth`); wide > 390 {
				t.Errorf("%s in %s is %d pixels wide", name, language, wide)
			}
			if is := value[string](t, b, `document.documentElement.lang`); is != language {
				t.Errorf("%s is in %s, not %s", name, is, language)
			}
		}
		shots(t, b, name)
	}
}
