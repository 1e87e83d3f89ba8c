package wget

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"quire/format/weburl"
)

// The rules for Wget's file names (manual, "Directory Options" and --restrict-file-names). A name
// is the folder of the host with its port, the unescaped path, then "?" and the query. On Windows,
// or by option, the port follows "+" and the query "@". Characters not allowed in a name are
// escaped again: a slash within a name, control characters, on Windows \|:"*<>, and with "ascii"
// all bytes above 127. "index.html" means a path that ends in a slash. With -E, a page has the
// additional extension ".html".

// layout has the rules for the names of a mirror.
type layout struct {
	windows  bool // "+" and "@"
	protocol bool // the first folder is the protocol
}

// layoutOf detects the layout from the folders of a mirror.
func layoutOf(tops map[string]bool) layout {
	var l layout
	for top := range tops {
		_, _, port := strings.Cut(top, "+")
		l.windows = l.windows || port && hostName.MatchString(top)
		l.protocol = l.protocol || isProtocol(top)
	}
	return l
}

// derivedURL is a URL derived from the name of a file, with its assumed parts.
type derivedURL struct {
	url     string
	assumed []string
}

// urlOf derives the URL from a path within the mirror; ok is false without the folder of a host.
// added means that -E is known to have added an extension.
func (l layout) urlOf(p string, added bool) (c derivedURL, ok bool) {
	scheme := "http"
	if l.protocol {
		scheme, p, _ = strings.Cut(p, "/")
	} else {
		c.assumed = append(c.assumed, "scheme: the names of the folders do not tell it")
	}
	host, rest, deeper := strings.Cut(p, "/")
	if !deeper || !hostName.MatchString(host) {
		return c, false
	}
	if i := strings.LastIndexByte(host, '+'); i > 0 {
		host = host[:i] + ":" + host[i+1:]
	}
	if strings.HasSuffix(host, ":443") && !l.protocol {
		scheme = "https"
	}
	dir, name := path.Split(rest)
	var b strings.Builder
	b.WriteString(scheme + "://" + host + "/")
	for part := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		if part != "" {
			b.WriteString(escape(part, "") + "/")
		}
	}
	c.last(&b, name, l.windows, added)
	c.url = b.String()
	return c, true
}

// last writes the last part of the path, and the query.
func (c *derivedURL) last(b *strings.Builder, name string, windows, added bool) {
	plain, ending := withoutAdded(name)
	switch {
	case added:
		name = plain
	case ending != "" && plain != name && implied(plain, windows):
		name = plain
		c.assumed = append(c.assumed, "that -E put "+ending+" behind the name")
	}
	file, query, asked := strings.Cut(name, "?")
	if !asked && windows {
		if i := strings.IndexByte(name, '@'); i >= 0 && strings.ContainsAny(name[i:], "=&") {
			file, query, asked = name[:i], name[i+1:], true
			c.assumed = append(c.assumed, "that @ stands for ?")
		}
	}
	if file == "index.html" {
		file = ""
		c.assumed = append(c.assumed, "that the path ended in a slash, of which Wget makes index.html")
	}
	b.WriteString(escape(file, ""))
	if !asked {
		return
	}
	if strings.Contains(strings.ToUpper(query), "%2F") {
		c.assumed = append(c.assumed, "that the query had a slash, of which Wget makes %2F")
		query = strings.NewReplacer("%2F", "/", "%2f", "/").Replace(query)
	}
	b.WriteString("?" + escape(query, "?/"))
}

// withoutAdded removes the extension that -E adds to a name.
func withoutAdded(name string) (plain, ending string) {
	for _, coding := range []string{".gz", ".br"} {
		if p, ok := strings.CutSuffix(name, ".html"+coding); ok && p != "" {
			return p, ".html" + coding
		}
	}
	for _, e := range []string{".html", ".css"} {
		if p, ok := strings.CutSuffix(name, e); ok && p != "" {
			return p, e
		}
	}
	return name, ""
}

// pageEndings are the extensions of URLs for pages; -E adds a second one: "x.php.html".
var pageEndings = set(".php .php3 .php4 .phtml .asp .aspx .jsp .jspx .do .cgi .pl .cfm .shtml .xhtml .xht .dll .exe " +
	".nsf .py .rb .action")

// implied reports whether a name probably had another extension in the URL.
func implied(plain string, windows bool) bool {
	file, _, asked := strings.Cut(plain, "?")
	if !asked && windows {
		file, _, asked = strings.Cut(plain, "@")
		asked = asked && strings.Contains(plain, "=")
	}
	return asked || pageEndings[strings.ToLower(path.Ext(file))]
}

// escape escapes characters that are not allowed in a URL. Existing escapes remain, because they
// mean the same in the URL.
func escape(s, allowed string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		_, escaped := weburl.Escaped(s[i:])
		switch {
		case escaped:
			b.WriteByte(c)
		case c <= ' ' || c >= 0x7f || strings.IndexByte(`"<>\^`+"`"+`{|}#?%`, c) >= 0 &&
			strings.IndexByte(allowed, c) < 0:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// ownName reports whether a file has the name of the URL itself, and not of one that redirected to
// it. Differences in case, escapes, extensions and numbers are ignored.
func ownName(file, rawURL string) bool {
	u, err := url.Parse(rawURL)
	if err != nil {
		return true
	}
	want := path.Base(u.EscapedPath())
	if u.Path == "" || strings.HasSuffix(u.Path, "/") {
		want = "index.html"
	}
	if u.RawQuery != "" || u.ForceQuery {
		want += "?" + u.RawQuery
	}
	got := alike(path.Base(file))
	plain, _ := withoutAdded(got)
	if i := strings.LastIndexByte(got, '.'); i > 0 {
		if _, err := strconv.Atoi(got[i+1:]); err == nil {
			got = got[:i]
		}
	}
	want = alike(want)
	return got == want || plain == want || strings.HasPrefix(got, want+".") || len(want) > 200
}

// oneForm replaces the characters that Wget writes in more than one way. Its tables are large: one serves
// all names.
var oneForm = strings.NewReplacer("@", "?", "/", "%2f", "+", " ")

// alike returns the comparable form of a name.
func alike(name string) string {
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return strings.ToLower(oneForm.Replace(name))
}

// spellings returns the names that a name in a log can mean: the name as written; without quotation
// marks; with C escapes decoded, which wget writes for characters that its locale lacks; with the
// separators of Windows replaced.
func spellings(name string) []string {
	all := []string{name}
	if t := strings.Trim(name, "'\"‘’`"); t != name {
		all = append(all, t)
	}
	if strings.Contains(name, `\`) {
		all = append(all, unescapeC(name), strings.ReplaceAll(name, `\`, "/"))
	}
	return all
}

// unescapeC decodes \303\251 and \'.
func unescapeC(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
