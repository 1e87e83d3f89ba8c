package weburl

import "strings"

// file parses the text after "file:", or a text relative to a file URL (file state).
func (p *parser) file(s string) bool {
	p.u.Scheme, p.u.hasHost = "file", true
	b := p.base
	if b != nil && b.Scheme != "file" {
		b = nil
	}
	switch {
	case p.isSlash(s, 0) && p.isSlash(s, 1):
		return p.fileHost(s[2:])
	case p.isSlash(s, 0):
		if b != nil {
			p.u.Host = b.Host
		}
		return p.fileFromRoot(s[1:], b)
	case b == nil:
		return p.pathAndQuery(s)
	}
	p.u.Host = b.Host
	if s != "" && s[0] != '?' && beginsWithDrive(s) {
		return p.pathAndQuery(s)
	}
	p.base = b
	return p.relativePath(s)
}

// fileFromRoot parses a path from the root; it keeps the drive of the base (file slash state).
func (p *parser) fileFromRoot(s string, b *URL) bool {
	rest := p.cutQuery(s)
	if b != nil && !beginsWithDrive(rest) && len(b.Path) >= 3 && isDrive(b.Path[1:3]) && b.Path[2] == ':' &&
		(len(b.Path) == 3 || b.Path[3] == '/') {
		p.path = append(p.path, b.Path[:3]...)
	}
	p.segments(rest)
	return true
}

// fileHost parses a host, unless it is a drive (file host state).
func (p *parser) fileHost(s string) bool {
	name, rest := s, ""
	if i := strings.IndexAny(s, `/\?`); i >= 0 {
		name, rest = s[:i], s[i:]
	}
	if isDrive(name) {
		return p.pathAndQuery(s)
	}
	if name != "" {
		h, ok := host(name, false)
		if !ok {
			return false
		}
		if h != "localhost" {
			p.u.Host = h
		}
	}
	return p.pathAndQuery(rest)
}
