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
	known map[string]*Address
	key   []byte
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

// lookup returns the remembered address of a link without a fragment, or nil, and its key. The key
// is nil if the address depends on the whole URL of the page, or if nothing is remembered.
func (r *Resolver) lookup(href []byte) (found *Address, key []byte) {
	k := r.known
	if k == nil || r.folder == "" || len(r.folder)+len(href) > maxResolved || !dependsOnFolder(href) {
		return nil, nil
	}
	k.key = append(append(append(append(k.key[:0], r.charset.Name...), 0), r.folder...), 0)
	k.key = append(k.key, href...)
	return k.known[string(k.key)], k.key
}

// add remembers an address.
func (k *Resolutions) add(key []byte, to *Address) {
	if k.known == nil || len(k.known) >= maxResolutions {
		k.known = make(map[string]*Address, maxResolutions)
	}
	k.known[string(key)] = to
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
