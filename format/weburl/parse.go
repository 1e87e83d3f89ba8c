package weburl

import (
	"errors"
	"strings"
)

// ErrInvalid means that a text is not a URL, or is relative to a base that cannot have relative
// URLs.
var ErrInvalid = errors.New("not a URL")

// Encoder returns the bytes of a character in the encoding of the page, or false if the encoding
// lacks it.
type Encoder func(r rune) ([]byte, bool)

// Parse parses a text as in a page with that base (clause 4.4, basic URL parser). The base may be
// nil. Without an encoder queries are UTF-8.
func Parse(text string, base *URL, query Encoder) (*URL, error) {
	p := &parser{base: base, encode: query}
	s := strip(text)
	s, p.u.Fragment, p.u.hasFragment = strings.Cut(s, "#")
	p.u.Fragment = escape(p.u.Fragment, fragmentSet)
	var ok bool
	if scheme, rest, found := cutScheme(s); found {
		p.u.Scheme = scheme
		ok = p.absolute(rest)
	} else {
		ok = base != nil && p.relative(s)
	}
	if !ok {
		return nil, ErrInvalid
	}
	p.u.Path = string(p.path)
	return &p.u, nil
}

// strip removes the characters that the standard removes first.
func strip(s string) string {
	for s != "" && s[0] <= ' ' {
		s = s[1:]
	}
	for s != "" && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	if strings.ContainsAny(s, "\t\n\r") {
		s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	}
	return s
}

// cutScheme cuts at the colon after a scheme.
func cutScheme(s string) (scheme, rest string, ok bool) {
	for i := range len(s) {
		c := s[i]
		switch {
		case isAlpha(c), i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		case c == ':' && i > 0:
			return strings.ToLower(s[:i]), s[i+1:], true
		default:
			return "", s, false
		}
	}
	return "", s, false
}

// parser parses one URL. Its input has no fragment.
type parser struct {
	u      URL
	path   []byte
	base   *URL
	encode Encoder
}

// isSlash reports whether the byte at i is a slash, or is treated as a slash in a special scheme.
func (p *parser) isSlash(s string, i int) bool {
	return i < len(s) && (s[i] == '/' || s[i] == '\\' && isSpecial(p.u.Scheme))
}

// absolute parses the text after the scheme (scheme state).
func (p *parser) absolute(s string) bool {
	switch scheme := p.u.Scheme; {
	case scheme == "file":
		return p.file(s)
	case isSpecial(scheme) && p.base != nil && p.base.Scheme == scheme && !strings.HasPrefix(s, "//"):
		return p.relative(s)
	case isSpecial(scheme):
		return p.authority(strings.TrimLeft(s, `/\`))
	case strings.HasPrefix(s, "//"):
		return p.authority(s[2:])
	case strings.HasPrefix(s, "/"):
		return p.pathAndQuery(s)
	}
	p.u.opaque = true
	s = p.cutQuery(s)
	if strings.HasSuffix(s, " ") { // before a query or fragment; spaces at the very end were stripped
		p.path = append(append(p.path, escape(s[:len(s)-1], controlSet)...), "%20"...)
		return true
	}
	p.path = append(p.path, escape(s, controlSet)...)
	return true
}

// relative parses a text without a scheme, or with the scheme of its special base (no scheme state,
// relative state).
func (p *parser) relative(s string) bool {
	b := p.base
	if b.opaque {
		if s != "" || !p.u.hasFragment || p.u.Scheme != "" {
			return false
		}
		p.path = append(p.path, b.Path...)
		p.u.Scheme, p.u.opaque = b.Scheme, true
		p.u.Query, p.u.hasQuery = b.Query, b.hasQuery
		return true
	}
	if p.u.Scheme = b.Scheme; b.Scheme == "file" {
		return p.file(s)
	}
	if p.isSlash(s, 0) && p.isSlash(s, 1) {
		if isSpecial(p.u.Scheme) {
			s = strings.TrimLeft(s, `/\`)
		} else {
			s = s[2:]
		}
		return p.authority(s)
	}
	p.u.User, p.u.Password, p.u.Host, p.u.Port, p.u.hasHost = b.User, b.Password, b.Host, b.Port, b.hasHost
	if p.isSlash(s, 0) {
		return p.pathAndQuery(s)
	}
	return p.relativePath(s)
}

// relativePath parses a text that replaces the base's last segment, or follows the unchanged base.
func (p *parser) relativePath(s string) bool {
	p.path = append(p.path, p.base.Path...)
	switch {
	case s == "":
		p.u.Query, p.u.hasQuery = p.base.Query, p.base.hasQuery
	case s[0] == '?':
		p.cutQuery(s)
	default:
		p.path = shorten(p.u.Scheme, p.path)
		p.segments(p.cutQuery(s))
	}
	return true
}

// authority parses user, host, port, and the rest (authority state, host state).
func (p *parser) authority(s string) bool {
	ends := "/?"
	if isSpecial(p.u.Scheme) {
		ends = `/\?`
	}
	rest := ""
	if i := strings.IndexAny(s, ends); i >= 0 {
		s, rest = s[:i], s[i:]
	}
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		if i == len(s)-1 {
			return false
		}
		user, password, _ := strings.Cut(s[:i], ":")
		p.u.User, p.u.Password = escape(user, userinfoSet), escape(password, userinfoSet)
		s = s[i+1:]
	}
	name, after, hasPort := cutPort(s)
	if name == "" && (hasPort || isSpecial(p.u.Scheme)) {
		return false
	}
	var ok bool
	if p.u.Host, ok = host(name, !isSpecial(p.u.Scheme)); !ok {
		return false
	}
	p.u.hasHost = true
	if p.u.Port, ok = port(p.u.Scheme, after); !ok {
		return false
	}
	return p.pathAndQuery(rest)
}

// cutPort cuts at the first colon outside brackets.
func cutPort(s string) (name, after string, ok bool) {
	inBrackets := false
	for i := range len(s) {
		switch s[i] {
		case '[':
			inBrackets = true
		case ']':
			inBrackets = false
		case ':':
			if !inBrackets {
				return s[:i], s[i+1:], true
			}
		}
	}
	return s, "", false
}

// pathAndQuery parses a path from its beginning (path start state).
func (p *parser) pathAndQuery(s string) bool {
	s = p.cutQuery(s)
	if s == "" && !isSpecial(p.u.Scheme) {
		return true
	}
	if p.isSlash(s, 0) {
		s = s[1:]
	}
	p.segments(s)
	return true
}

// segments appends segments to the path (path state).
func (p *parser) segments(s string) {
	for {
		i := 0
		for i < len(s) && !p.isSlash(s, i) {
			i++
		}
		last := i == len(s)
		p.segment(s[:i], last)
		if last {
			return
		}
		s = s[i+1:]
	}
}

func (p *parser) segment(s string, last bool) {
	switch {
	case isDouble(s):
		p.path = shorten(p.u.Scheme, p.path)
		if last {
			p.path = append(p.path, '/')
		}
	case isSingle(s):
		if last {
			p.path = append(p.path, '/')
		}
	default:
		if p.u.Scheme == "file" && len(p.path) == 0 && isDrive(s) {
			s = s[:1] + ":"
		}
		p.path = append(append(p.path, '/'), escape(s, pathSet)...)
	}
}

// isSingle reports whether s is a dot or its escape.
func isSingle(s string) bool { return s == "." || strings.EqualFold(s, "%2e") }

// isDouble reports whether s is two dots, escaped or not.
func isDouble(s string) bool {
	return s == ".." || strings.EqualFold(s, ".%2e") || strings.EqualFold(s, "%2e.") || strings.EqualFold(s, "%2e%2e")
}

// cutQuery sets the query and returns the text before it.
func (p *parser) cutQuery(s string) string {
	before, query, ok := strings.Cut(s, "?")
	p.u.Query, p.u.hasQuery = "", ok
	if ok {
		set := querySet
		if isSpecial(p.u.Scheme) {
			set = specialQuerySet
		}
		if enc := p.encode; enc != nil && p.u.Scheme != "ws" && p.u.Scheme != "wss" && isSpecial(p.u.Scheme) {
			p.u.Query = escapeIn(query, enc, set)
		} else {
			p.u.Query = escape(query, set)
		}
	}
	return before
}
