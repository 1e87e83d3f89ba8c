package httrack

import (
	"path"
	"strings"

	"quire/format/weburl"
	"quire/model"
)

// locate finds the file that the cache or the log names. The argument saved is its spelling there:
// relative to the mirror ("host/x"), to the start folder of HTTrack ("./host/x", "mirror/host/x"),
// or absolute on the crawler's machine. If escaped is set, the spelling comes from new.txt, where
// %20 can be a space or itself: the files on disk decide. The result is a path within the Tree, or
// "".
func (m *Mirror) locate(saved, url string, escaped bool, from string) string {
	if saved == "" {
		return ""
	}
	p := saved
	if isDrive(p) {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	if leadsOut(p) {
		m.findings.add(findPath, model.Warning, from, 0, "%q leads out of the mirror", saved)
		return ""
	}
	asWritten := m.find(p, url)
	if !escaped || !strings.Contains(p, "%") {
		return asWritten
	}
	plain := m.find(weburl.Unescape(p), url)
	switch {
	case asWritten != "" && plain != "" && asWritten != plain:
		m.findings.add(findAmbiguous, model.Warning, from, 0,
			"%q can be two files: with the percent sign, or with the character it escapes; the first is used", saved)
		return asWritten
	case asWritten != "":
		return asWritten
	}
	return plain
}

// find tries all spellings.
func (m *Mirror) find(p, url string) string {
	if isDrive(p) || strings.HasPrefix(p, "/") {
		if rest, ok := strings.CutPrefix(p, m.output+"/"); ok && m.output != "" {
			if f := m.tree.Find(m.path(rest)); f != nil {
				return f.Path
			}
		}
		return m.findFromHost(p, url)
	}
	p = path.Clean(p)
	if f := m.tree.Find(m.path(p)); f != nil {
		return f.Path
	}
	if rest, ok := strings.CutPrefix(p, m.output+"/"); ok && m.output != "" {
		if f := m.tree.Find(m.path(rest)); f != nil {
			return f.Path
		}
	}
	return m.findFromHost(p, url)
}

// findFromHost searches for the part of the path from the host folder on. That folder is always
// below the mirror's root.
func (m *Mirror) findFromHost(p, url string) string {
	host := hostFolder(url)
	if host == "" {
		return ""
	}
	if i := strings.Index(p, "/"+host+"/"); i >= 0 {
		if f := m.tree.Find(m.path(p[i+1:])); f != nil {
			return f.Path
		}
	}
	return ""
}

// hostFolder returns HTTrack's name for the folder of a host: a colon before the port becomes an
// underscore.
func hostFolder(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	return strings.ReplaceAll(host, ":", "_")
}

func leadsOut(p string) bool {
	return p == ".." || strings.HasPrefix(p, "../") || strings.HasSuffix(p, "/..") || strings.Contains(p, "/../")
}

func isDrive(p string) bool {
	return len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/')
}
