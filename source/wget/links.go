package wget

import (
	"context"
	"errors"
	"net/http"
	"path"
	"regexp"
	"strings"
)

// conversion states whether -k changed links, with the evidence.
type conversion struct {
	state state
	why   string
	from  string
}

type state int

const (
	unknown   state = iota
	changed         // the log lists the files, or backups show it
	unchanged       // a page has a link that -k would have changed
)

// conversion reads a line of the log about a file: "Converting links in x... 16-1", or "nothing to
// do". The words around the name can be in any language.
func (m *mirror) conversion(line, result string, strip int) {
	words := strings.Fields(line)
	if len(words) > maxWords {
		return
	}
	for from := range min(len(words), maxWordsBefore) {
		for to := len(words); to > from && to > len(words)-maxWordsBehind; to-- {
			name := strings.Join(words[from:to], " ")
			f := findNamed(m.tree, m.root, name, strip)
			for _, n := range quoted(name) {
				if f == "" {
					f = findNamed(m.tree, m.root, n, strip)
				}
			}
			if f != "" {
				m.turned[f] = result != "" && result[0] >= '0' && result[0] <= '9'
				return
			}
		}
	}
}

const (
	maxWords       = 200 // in a line about a file
	maxWordsBefore = 12  // before the name
	maxWordsBehind = 8   // it
)

// rootLink matches a link in a page that begins at the root of its host. After -k, a page has no
// such links.
var (
	rootLink = regexp.MustCompile(`(?i)<(?:a|area|img|link)\s(?:[^>]*?\s)?(?:href|src)\s*=\s*["']?/[^/"'>\s]`)
	noLinks  = regexp.MustCompile(`(?is)<!--.*?(?:-->|$)|<script\b.*?(?:</script|$)|<style\b.*?(?:</style|$)`)
)

const (
	maxPages = 64       // number of pages checked
	pageHead = 64 << 10 // bytes of each page
)

// look checks whether links were changed, and whether files begin with their headers.
func (m *mirror) look(ctx context.Context) error {
	switch {
	case len(m.turned) > 0:
		m.changes = conversion{changed, "changed in the files that the log names", m.logs[0].Path}
	case len(m.backups) > 0:
		m.changes = conversion{changed, "changed in the files of which there are backups (-K)", "files named .orig"}
	case m.verbose():
		m.changes = conversion{unchanged,
			"not changed: the log came to its end, and names no file whose links were converted", m.logs[0].Path}
	}
	pages, headed := 0, 0
	for _, c := range m.captures {
		if c.file == "" || !looksLikePage(c.file) {
			continue
		}
		if pages++; pages > maxPages {
			break
		}
		head, err := m.tree.Head(c.file, pageHead)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if headEnd(head) > 0 {
			headed++
		}
		if m.changes.state == unknown && rootLink.Match(noLinks.ReplaceAll(head, nil)) {
			m.changes = conversion{unchanged,
				"not changed: there is a link to the root of the host, and -k leaves none", c.file}
		}
	}
	m.headed = headed > 0 && 2*headed >= min(pages, maxPages)
	return nil
}

// verbose reports whether the logs would mention converted links.
func (m *mirror) verbose() bool {
	for i := range m.logs {
		if j := &m.logs[i].journal; !j.Verbose || !j.ended() {
			return false
		}
	}
	return len(m.logs) > 0
}

// looksLikePage reports whether a file may be a page, by its name.
func looksLikePage(p string) bool {
	name, _, _ := strings.Cut(path.Base(p), "?")
	switch ext := strings.ToLower(path.Ext(name)); {
	case ext == "" || ext == ".html" || ext == ".htm" || pageEndings[ext]:
		return true
	}
	return strings.HasSuffix(p, ".html")
}

// convertible reports whether -k changes files of this type: HTML and, since 1.12, CSS.
func convertible(p, mime string, head []byte) bool {
	declared, _, _ := strings.Cut(strings.ToLower(mime), ";")
	switch strings.TrimSpace(declared) {
	case "text/html", "application/xhtml+xml", "text/css":
		return true
	case "":
	default:
		return false
	}
	name := strings.ToLower(path.Base(p))
	if plain, _, _ := strings.Cut(name, "?"); strings.HasSuffix(name, ".css") || strings.HasSuffix(plain, ".css") {
		return true
	}
	for _, ending := range []string{".html", ".htm", ".xhtml", ".xht", ".shtml"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return strings.HasPrefix(http.DetectContentType(head), "text/html")
}
