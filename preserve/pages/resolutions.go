package pages

import (
	"bytes"
	"strings"
)

// maxResolutions is how many targets are remembered, and maxResolved the length of a key in bytes.
const maxResolutions, maxResolved = 16 << 10, 1 << 10

// Resolutions remembers the targets of links, for [Resolver.Remember]. The pages of a site have the
// same menus: most links are resolved again and again. It is not safe for concurrent use.
type Resolutions struct {
	known map[string]resolution
	key   []byte
}

type resolution struct {
	target Target
	ok     bool
}

// Remember makes the resolver use targets that other pages have resolved, and returns it.
func (r *Resolver) Remember(k *Resolutions) *Resolver {
	if r.base != nil {
		r.known, r.folder = k, folderOf(r.base.Resource())
	}
	return r
}

// folderOf returns the part of a page's URL that links to other pages depend on: up to the last slash
// of the path. It is "" if the URL has no slash.
func folderOf(url string) string {
	url, _, _ = strings.Cut(url, "?")
	return url[:strings.LastIndexByte(url, '/')+1]
}

// lookup returns the remembered target of a link, and its key. key is nil if the target depends on
// the whole URL of the page, or if nothing is remembered.
func (r *Resolver) lookup(href []byte) (found resolution, key []byte, ok bool) {
	k := r.known
	if k == nil || r.folder == "" || len(r.folder)+len(href) > maxResolved || !dependsOnFolder(href) {
		return found, nil, false
	}
	k.key = append(append(append(append(k.key[:0], r.charset.Name...), 0), r.folder...), 0)
	k.key = append(k.key, href...)
	found, ok = k.known[string(k.key)]
	return found, k.key, ok
}

// add remembers a target.
func (k *Resolutions) add(key []byte, r resolution) {
	if k.known == nil || len(k.known) >= maxResolutions {
		k.known = make(map[string]resolution, maxResolutions)
	}
	k.known[string(key)] = r
}

// dependsOnFolder reports whether the target of a link depends on the page's folder at most: it
// begins with a path, or with a scheme and two slashes. A query or a fragment alone depends on the
// whole URL, and so does "http:?q" (URL Standard, 4.4).
func dependsOnFolder(href []byte) bool {
	if len(href) == 0 {
		return false
	}
	switch c := href[0]; {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '/', c == '.', c == '_':
	default:
		return false
	}
	if bytes.IndexByte(href, '&') >= 0 { // a reference may stand for any character
		return false
	}
	colon := bytes.IndexByte(href, ':')
	if colon < 0 {
		return true
	}
	slash := bytes.IndexByte(href, '/')
	return slash >= 0 && slash < colon || bytes.HasPrefix(href[colon:], []byte("://"))
}
