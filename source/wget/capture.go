package wget

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"
)

// capture has the facts about one URL.
type capture struct {
	url     string
	assumed []string
	// the last attempt in the log, preferably one that saved a file; or nil
	by      *attempt
	log     *loggedRun
	file    string   // path in the Tree; or ""
	saved   string   // path within the mirror in links of other pages
	copyOf  *capture // the file has the body of another URL, the target of this redirect
	through *capture // the first URL of the redirects to this one, which gave the file its name
	why     []string
}

// gathering combines the log, attempt by attempt.
type gathering struct {
	*mirror
	log   *loggedRun
	strip int
	chain []*capture          // redirects that lead to the next attempt
	next  string              // their target URL
	hops  map[string]*capture // of Wget2: the redirects, by the name that their file would have
}

// take adds an attempt.
func (g *gathering) take(a *attempt) bool {
	g.secrets(a)
	c := g.capture(withoutUser(a.URL))
	if c.url != a.URL && len(c.why) == 0 {
		c.why = append(c.why, "who logged in stood before the host, and is left out")
	}
	if c.url != g.next {
		g.chain = nil
	}
	if a.Second && a.Status/100 == 3 {
		if g.hops == nil {
			g.hops = map[string]*capture{}
		}
		g.hops[name2(c.url)] = c
	}
	if a.Status/100 == 3 && a.Location != "" {
		if c.file == "" && (c.by == nil || !c.by.Saved) {
			c.by, c.log = a, g.log
		}
		g.chain, g.next = append(g.chain, c), resolve(c.url, a.Location)
		return true
	}
	chain := slices.DeleteFunc(g.chain, func(hop *capture) bool { return hop == c }) // as with a cookie
	g.chain, g.next = nil, ""
	if !a.Saved && !a.Kept {
		if c.file == "" || c.by != nil && c.by.partial() && a.partial() { // a file keeps the attempt that wrote it
			c.by, c.log = a, g.log
		}
		if file := findNamed(g.tree, g.root, a.Named, g.strip); file != "" && a.partial() &&
			(g.byFile[file] == nil || g.byFile[file] == c) {
			g.place(c, a, file, chain)
		}
		if isRetried(a) {
			g.chain, g.next = chain, c.url
		}
		return true
	}
	file := findNamed(g.tree, g.root, a.Named, g.strip)
	if a.Kept {
		g.keep(c, a, file)
		return true
	}
	if file == "" {
		g.gone = append(g.gone, a.Named)
		if c.file == "" {
			c.by, c.log = a, g.log
		}
		return true
	}
	switch {
	case len(chain) > 0 || ownName(file, c.url):
	case a.Second:
		chain = g.redirected(file)
	case a.Short:
		chain = g.conclude(file, c)
	}
	g.place(c, a, file, chain)
	return true
}

// isRetried reports whether the next attempt may be for the same URL, after the same redirects.
func isRetried(a *attempt) bool { return a.Status == 0 || a.Status/100 == 2 }

// conclude finds the URL that redirected here, from the name of the file.
func (g *gathering) conclude(file string, to *capture) []*capture {
	u, ok := g.layout.urlOf(within(g.root, file), endingAdded(file, g.backups[file]))
	if !ok || u.url == to.url {
		return nil
	}
	from := g.capture(u.url)
	if from.by == nil && from.file == "" {
		from.assumed = append(u.assumed, "that it redirected to "+to.url+", which was saved under its name")
	}
	return []*capture{from}
}

// redirected finds the logged URL that redirected here: the name of the file is made from it.
func (g *gathering) redirected(file string) []*capture {
	name := unescaped(within(g.root, file))
	for _, n := range []string{name, strings.TrimSuffix(name, ".html")} {
		if from := g.hops[n]; from != nil {
			return []*capture{from}
		}
	}
	return nil
}

// place assigns a file to its URL. The name comes from the requested URL, which may have redirected
// here. A file named after its own URL is preferred.
func (g *gathering) place(c *capture, a *attempt, file string, chain []*capture) {
	for _, hop := range chain {
		hop.saved = within(g.root, file)
	}
	if old := g.byFile[file]; old != nil && old != c { // overwritten later
		old.file = ""
		old.why = append(old.why, "the file was overwritten with that of "+c.url)
		if a.Second && g.log.journal.Threads {
			g.contested[file] = "the log reports that " + old.url + " was saved in it, too, and does not show which " +
				"one was last"
		}
	}
	var through *capture
	if len(chain) > 0 {
		through = chain[0]
	}
	if c.file != "" && c.file != file {
		if through != nil && c.through == nil {
			g.second(through, c, file)
			return
		}
		if c.through != nil {
			g.second(c.through, c, c.file)
		} else {
			delete(g.byFile, c.file)
		}
	}
	a.Named = file // the same text, which the Tree keeps anyway
	c.by, c.log, c.file, c.through = a, g.log, file, through
	if through == nil {
		c.saved = within(g.root, file)
	}
	g.byFile[file] = c
}

// second assigns a file to the URL that named it, if its body belongs to another URL that already
// has a file.
func (g *gathering) second(hop, of *capture, file string) {
	hop.file, hop.copyOf = file, of
	g.byFile[file] = hop
}

// keep adds a file of an earlier run that this run did not fetch again.
func (g *gathering) keep(c *capture, a *attempt, file string) {
	if c.by == nil || c.file == "" {
		c.by, c.log = a, g.log
	}
	if file == "" || c.file != "" || g.byFile[file] != nil {
		return
	}
	c.file, c.saved = file, within(g.root, file)
	c.why = append(c.why, "the log says that it was there already, and was not fetched again")
	g.byFile[file] = c
}

// resolve returns the absolute target of a redirect.
func resolve(base, location string) string {
	b, err := url.Parse(base)
	if err != nil {
		return location
	}
	u, err := b.Parse(strings.TrimSpace(location))
	if err != nil {
		return location
	}
	u.Fragment = ""
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String()
}

// unclaimed adds the files without a URL in the logs.
func (m *mirror) unclaimed(files []string) {
	for _, f := range files {
		if m.byFile[f] != nil || m.role(f) != "" {
			continue
		}
		m.deriveURL(f)
	}
}

// deriveURL derives the URL from the name of a file.
func (m *mirror) deriveURL(f string) {
	rel := within(m.root, f)
	if m.second {
		if c := m.leftover(f); c != nil {
			m.add(c)
		}
		return
	}
	u, ok := m.layout.urlOf(rel, endingAdded(f, m.backups[f]))
	if !ok {
		m.add(&capture{file: f, why: []string{"no log tells the URL, and the file lies in no folder of a host"}})
		return
	}
	c := m.byURL[u.url]
	if c == nil {
		if plain, twin := m.numbered(f); twin {
			if u, _ = m.layout.urlOf(within(m.root, plain), false); m.byURL[u.url] == nil {
				u.assumed = append(u.assumed,
					"that the number behind the name was put there because another name differs in case alone")
			}
			c = m.byURL[u.url]
		}
	}
	if c != nil && c.file != "" {
		m.add(&capture{file: f, why: []string{"by its name it is of " + u.url + ", of which " + c.file + " is"}})
		return
	}
	if c == nil {
		c = m.capture(u.url)
		c.assumed = u.assumed
	}
	c.file, c.saved = f, rel
	c.why = append(c.why, "URL concluded from the path")
	m.byFile[f] = c
}

// leftover returns the capture of a file that the log of Wget2 does not report as saved. Its folder
// has no port, so that no URL can be derived. Wget2 gives a file another name if a folder needs it.
func (m *mirror) leftover(f string) *capture {
	if m.vacant == nil {
		m.vacant = map[string]*capture{}
		for _, c := range m.captures {
			if c.file == "" && c.by != nil && c.by.Saved {
				m.vacant[path.Clean(c.by.Named)] = c
			}
		}
	}
	plain, renamed := strings.CutSuffix(within(m.root, f), ".1")
	if c := m.vacant[plain]; renamed && c != nil && c.file == "" {
		c.file, c.saved = f, within(m.root, f)
		c.why = append(c.why, "the log has the name "+c.by.Named+", which a folder has taken")
		m.byFile[f] = c
		return nil
	}
	return &capture{file: f, why: []string{cmp.Or(m.contested[f], "no log has the URL, and Wget2 leaves the port out "+
		"of the names of folders")}}
}

// numbered reports whether Wget added a number to a file's name because another file has the same
// name in different upper and lower case. plain is the name without the number.
func (m *mirror) numbered(f string) (plain string, twin bool) {
	ext := path.Ext(f)
	plain = strings.TrimSuffix(f, ext)
	if len(ext) < 2 || strings.Trim(ext[1:], "0123456789") != "" {
		return "", false
	}
	if m.folded == nil {
		m.folded = map[string]string{}
		for _, name := range m.files {
			m.folded[strings.ToLower(name)] = name
		}
	}
	other, ok := m.folded[strings.ToLower(plain)]
	return plain, ok && other != plain
}
