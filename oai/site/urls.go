package site

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"quire/format/weburl"
	"quire/oai/protocol"
)

// urls decides which URLs belong to the site, and normalizes them. So the folder, the sitemap and a
// link use the same URL for the same resource.
type urls struct {
	root     string   // in that form, with its final slash
	path     string   // path of the root
	aliases  []string // also roots
	reserved []string // paths
	exclude  []string // patterns
}

func newURLs(o *Options) (*urls, error) {
	u := &urls{reserved: o.Reserved, exclude: o.Find.Exclude}
	var err error
	if u.root, err = rootOf(o.Root); err != nil {
		return nil, err
	}
	parsed, err := url.Parse(u.root)
	if err != nil {
		return nil, fmt.Errorf("the URL of the site: %w", err)
	}
	u.path = parsed.Path
	for _, a := range o.Aliases {
		alias, err := rootOf(a)
		if err != nil {
			return nil, err
		}
		u.aliases = append(u.aliases, alias)
	}
	return u, nil
}

func rootOf(text string) (string, error) {
	u, err := weburl.Parse(text, nil, nil)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is not the URL of a site: write it as https://a.example/", text)
	}
	return strings.TrimSuffix(written(u.Resource()), "/") + "/", nil
}

// of resolves the text of a link at a base, which may be nil, and returns the site's resource. It
// returns false for other sites and excluded URLs.
func (u *urls) of(text string, base *weburl.URL) (string, bool) {
	parsed, err := weburl.Parse(text, base, nil)
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.User != "" || parsed.Password != "" {
		return "", false
	}
	s := written(parsed.Resource())
	for _, alias := range u.aliases {
		if !strings.HasPrefix(s, u.root) && strings.HasPrefix(s, alias) {
			s = u.root + s[len(alias):]
		}
	}
	return s, u.hasRecord(s)
}

// hasRecord reports whether a normalized URL has a record.
func (u *urls) hasRecord(s string) bool {
	if !strings.HasPrefix(s, u.root) || len(s) > protocol.MaxIdentifier {
		return false
	}
	escaped, _, _ := strings.Cut(s[len(u.root)-1:], "?")
	plain, err := url.PathUnescape(escaped)
	if err != nil {
		return false
	}
	below := strings.TrimSuffix(u.path, "/")
	for _, r := range u.reserved {
		if p := path.Clean(below + plain); p == r || strings.HasPrefix(p, r+"/") {
			return false
		}
	}
	// Servers treat //x and /y/../x as /x, so a link in that form also leads to the excluded path.
	clean := path.Clean(plain)
	if strings.HasSuffix(plain, "/") && clean != "/" {
		clean += "/"
	}
	for _, pattern := range u.exclude {
		if excludes(pattern, plain) || excludes(pattern, clean) || excludes(pattern, s[len(u.root)-1:]) {
			return false
		}
	}
	return true
}

// excluded reports whether a URL is on the site but excluded.
func (u *urls) excluded(text string) bool {
	s, ok := u.of(text, nil)
	return !ok && strings.HasPrefix(s, u.root)
}

// ofPath returns the URL of a path in the folder, with any bytes in its names.
func (u *urls) ofPath(name string) string { return u.root + escapeName(name) }

// pathOf returns the path of a URL in the folder, or false if no path has that URL.
func (u *urls) pathOf(s string) (string, bool) {
	if !strings.HasPrefix(s, u.root) {
		return "", false
	}
	name, err := url.PathUnescape(s[len(u.root):])
	if err != nil || strings.ContainsRune(name, 0) || u.ofPath(name) != s {
		return "", false
	}
	return name, true
}

// excludes reports whether a pattern matches a path. A star matches any characters, including
// slashes. A pattern that ends in a slash matches all paths below.
func excludes(pattern, name string) bool {
	if strings.HasSuffix(pattern, "/") {
		pattern += "*"
	}
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	if len(parts) == 1 {
		return name == pattern
	}
	name = name[len(parts[0]):]
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		_, behind, found := strings.Cut(name, part)
		if !found {
			return false
		}
		name = behind
	}
	return strings.HasSuffix(name, last)
}

// written returns a URL, as browsers request it, in the form of RFC 3986, clause 6.2.2. Unreserved
// characters are not escaped, characters outside the grammar are, and hexadecimal digits are upper
// case.
func written(s string) string {
	scheme, rest, _ := strings.Cut(s, "://")
	host, rest, slash := strings.Cut(rest, "/")
	if !slash {
		return s
	}
	p, query, asked := strings.Cut(rest, "?")
	out := scheme + "://" + host + "/" + escapeAgain(p, "/:@")
	if asked {
		out += "?" + escapeAgain(query, "/:@?")
	}
	return out
}
