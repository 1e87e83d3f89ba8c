package httrack

import (
	"path"
	"regexp"
	"strings"
)

// delayed matches HTTrack's name for a file of a type not yet known: "404.13.delayed" later becomes
// 404.html. For an error page or an empty file, cache and log keep that name or the one in the URL,
// but the file has its final name.
var delayed = regexp.MustCompile(`\.[0-9a-f]+\.delayed$`)

// lastNames returns the possible final names of a file. The extension comes from the type of the
// file, or from the URL.
func lastNames(saved, url string) []string {
	base, isDelayed := saved, delayed.MatchString(saved)
	if isDelayed {
		base = delayed.ReplaceAllString(saved, "")
	}
	plain := strings.TrimSuffix(base, path.Ext(base))
	names := []string{base + ".html", plain + ".html"}
	if isDelayed {
		before, _, _ := strings.Cut(url, "?")
		names = append(names, base, base+path.Ext(before))
	}
	return names
}

// placeByName finds the file of a failed or empty URL among the unclaimed files. A redirect has
// none.
func (m *Mirror) placeByName(c *Capture) {
	status := c.Status()
	if c.File != "" || status == 0 && c.Whole == 0 || status >= 300 && status < 400 {
		return
	}
	var names []string
	switch {
	case c.Row != nil && c.Row.Local != "":
		names = lastNames(c.Row.Local, c.URL)
	case c.Entry != nil && c.Entry.Save != "":
		names = lastNames(c.Entry.Save, c.URL)
	case c.Row == nil && (c.Failed != 0 || c.Whole != 0):
		_, rest, _ := strings.Cut(c.URL, "://")
		host, p, _ := strings.Cut(rest, "/")
		saved := strings.ReplaceAll(host, ":", "_") + "/" + p
		names = append([]string{saved}, lastNames(saved, c.URL)...)
	}
	for _, name := range names {
		if leadsOut(name) { // already reported
			continue
		}
		p := m.locate(name, c.URL, true, c.Log)
		if p != "" && m.byFile[p] == nil && ownRole(m.within(p)) == "" {
			m.claim(c, p, BasisName)
			return
		}
	}
}
