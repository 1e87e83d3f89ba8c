package wget

import (
	"net/url"
	"path"
	"strings"
)

// capture is what is known of one URL.
type capture struct {
	url     string
	assumed []string
	// that the log tells of it last, and of those that gave a file, if there is one; nil when none
	// does
	by      *attempt
	log     *loggedRun
	file    string   // path in the Tree; "" when there is none
	saved   string   // path within the mirror that the links of others use to lead here
	copyOf  *capture // the file holds the body of another URL, to which this one redirected
	through *capture // the first URL of the redirects that led here, whose name the file has
	why     []string
}

// gathering puts together what the log tells, attempt by attempt.
type gathering struct {
	*mirror
	log   *loggedRun
	strip int
	chain []*capture // redirects that lead to the attempt to come
	next  string     // URL to which they lead
}

// take takes an attempt into account.
func (g *gathering) take(a *attempt) bool {
	g.secrets(a)
	c := g.capture(withoutUser(a.URL))
	if c.url != a.URL && len(c.why) == 0 {
		c.why = append(c.why, "who logged in stood before the host, and is left out")
	}
	if c.url != g.next {
		g.chain = nil
	}
	if a.Status/100 == 3 && a.Location != "" {
		if c.file == "" && (c.by == nil || !c.by.Saved) {
			c.by, c.log = a, g.log
		}
		g.chain, g.next = append(g.chain, c), resolve(c.url, a.Location)
		return true
	}
	chain := g.chain
	g.chain, g.next = nil, ""
	if !a.Saved && !a.Kept {
		if c.file == "" {
			c.by, c.log = a, g.log
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
	if a.Short && len(chain) == 0 && !ownName(file, c.url) {
		chain = g.conclude(file, c)
	}
	g.place(c, a, file, chain)
	return true
}

// isRetried says whether the next attempt may be of the same URL, behind the same redirects.
func isRetried(a *attempt) bool { return a.Status == 0 || a.Status/100 == 2 }

// conclude finds the URL that redirected here, by the name that the file got from it.
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

// place gives a file to its URL. The name is that of the URL that was asked for, which may have
// redirected here: then a file that has the name of its own URL is preferred.
func (g *gathering) place(c *capture, a *attempt, file string, chain []*capture) {
	for _, hop := range chain {
		hop.saved = within(g.root, file)
	}
	if old := g.byFile[file]; old != nil && old != c { // written over since
		old.file = ""
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
	c.by, c.log, c.file, c.through = a, g.log, file, through
	if through == nil {
		c.saved = within(g.root, file)
	}
	g.byFile[file] = c
}

// second gives a file to the URL whose name it has, when the body is that of another URL that has a
// file already.
func (g *gathering) second(hop, of *capture, file string) {
	hop.file, hop.copyOf = file, of
	g.byFile[file] = hop
}

// keep takes a file of a run before, which this one did not fetch again.
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

// resolve makes the target of a redirect absolute.
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

// unclaimed takes the files of which no log tells the URL.
func (m *mirror) unclaimed(files []string) {
	for _, f := range files {
		if m.byFile[f] != nil || m.role(f) != "" {
			continue
		}
		m.nameless(f)
	}
}

// nameless concludes the URL from the name of a file.
func (m *mirror) nameless(f string) {
	rel := within(m.root, f)
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

// numbered says whether a file has a number behind its name because another file was called alike,
// in other letters.
func (m *mirror) numbered(f string) (plain string, twin bool) {
	ext := path.Ext(f)
	plain = strings.TrimSuffix(f, ext)
	if len(ext) < 2 || strings.Trim(ext[1:], "0123456789") != "" {
		return "", false
	}
	other, ok := m.folded[strings.ToLower(plain)]
	return plain, ok && other != plain
}
