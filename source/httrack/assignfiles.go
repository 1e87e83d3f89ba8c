package httrack

import (
	"strings"

	"quire/model"
)

// assignFiles finds the file of each URL, and classifies each file.
func (m *Mirror) assignFiles(paths []string) {
	for _, c := range m.Captures {
		m.place(c)
	}
	for _, c := range m.Captures {
		m.placeByName(c)
	}
	m.assignUnfinished(paths)
	for _, p := range paths {
		m.folded[strings.ToLower(p)] = append(m.folded[strings.ToLower(p)], p)
	}
	for _, p := range paths {
		if m.byFile[p] == nil && !m.moved[p] && !m.isLeftover(p) && ownRole(m.within(p)) == "" &&
			insertedRole(m.within(p)) == "" {
			m.findings.add(findUnclaimed, model.Warning, p, 0, "neither cache nor log states the URL of this file%s",
				m.deriveURL(p))
		}
		m.Files = append(m.Files, m.file(p))
	}
}

// place finds the file of a URL. The cache has raw names, and the log has escaped names. The cache
// takes precedence.
func (m *Mirror) place(c *Capture) {
	p, basis := "", BasisCache
	if c.Entry != nil {
		p = m.locate(c.Entry.Save, c.URL, false, c.Entry.Cache)
	}
	if p == "" && c.Row != nil {
		p, basis = m.locate(c.Row.Local, c.URL, true, c.Log), BasisLog
	}
	if p == "" {
		p, basis = m.locate(c.Recorded, c.URL, false, m.path("logs/debug")), BasisLog
	}
	if p == "" || ownRole(m.within(p)) != "" {
		return
	}
	other := m.byFile[p]
	if other != nil {
		m.findings.add(findShared, model.Info, p, 0, "the file is recorded for %q and for %q", c.URL, other.URL)
		if other.Status() == 200 || c.Status() != 200 { // the last write was a response, not a redirect to it
			return
		}
		other.File, other.FileSize, other.Basis = "", 0, ""
	}
	if s := c.Status(); s >= 300 && s < 400 && m.isPlaceholder(p) {
		m.moved[p], c.placeholder = true, p
		return
	}
	m.claim(c, p, basis)
}

func (m *Mirror) claim(c *Capture, p string, basis Basis) {
	m.byFile[p] = c
	c.File, c.FileSize, c.Basis = p, m.tree.Find(p).Size, basis
}

// file returns the description of a file.
func (m *Mirror) file(p string) model.SourceFile {
	f := model.SourceFile{Path: p, Role: ownRole(m.within(p)), Restricted: m.secrets[p]}
	if entry := m.tree.Find(p); entry != nil {
		f.Size = entry.Size
	}
	switch {
	case f.Role != "":
	case m.byFile[p] != nil:
		f.Role = model.RoleContent
	case insertedRole(m.within(p)) != "":
		f.Role = insertedRole(m.within(p))
	case m.moved[p] || m.isLeftover(p):
		f.Role = model.RoleArtefact
	default:
		f.Role = model.RoleContent
	}
	return f
}

// within returns the mirror path of a Tree path.
func (m *Mirror) within(p string) string {
	for name, own := range m.names {
		if own == p {
			return name
		}
	}
	if m.root == "." {
		return p
	}
	return p[len(m.root)+1:]
}
