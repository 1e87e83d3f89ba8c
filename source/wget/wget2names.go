package wget

import (
	"slices"
	"strings"
)

// unknown2 is the reason why the file of a Saving line has no sure URL.
const unknown2 = "the log reports that it was saved, and does not show for which of its URLs"

// request2 is a request that has begun.
type request2 struct {
	url  string // without any escapes
	file string // see name2
}

func newRequest2(u string) request2 { return request2{unescaped(u), name2(u)} }

// host returns the folder of the host.
func (r request2) host() string {
	host, _, _ := strings.Cut(r.file, "/")
	return host
}

// saved2 is the file of a Saving line. Its request had begun by then, and had no response yet.
type saved2 struct {
	name   string // as logged
	plain  string // without any escapes
	bare   bool   // without the folder of a host: -nH, -nd
	open   []fitting2
	sealed bool // open has all requests of that moment
}

// fitting2 is a request to which a file may belong.
type fitting2 struct {
	request2
	fit fit2
}

// fit2 states how the name of a file is made from a URL. The smaller one is the better one.
type fit2 int

const (
	fitExact    fit2 = iota // host/path
	fitBelow                // -P: folders before the host
	fitExtended             // an extension or a number behind the name
	fitCut                  // --cut-dirs: the host, and the end of the path
	fitPath                 // -nH: the path without the host
	fitLast                 // -nd: the last part of the path
	fitMoved                // the name of a URL that redirected
	fitAlone                // any name, in the log of one thread
	fitNone
)

// begun adds a request.
func (l *log2) begun(u string) {
	r := newRequest2(u)
	if slices.Contains(l.open, r) {
		return
	}
	if len(l.open) == maxOpen {
		l.open, l.full = l.open[1:], true
	}
	l.open = append(l.open, r)
}

// ended removes a request that has its response.
func (l *log2) ended(u string) {
	if i := slices.Index(l.open, newRequest2(u)); i >= 0 {
		l.open = slices.Delete(l.open, i, i+1)
	}
}

// saving processes the line with the name of a file.
func (l *log2) saving(raw string) bool {
	m := line2Saving.FindStringSubmatch(raw)
	if m == nil {
		return false
	}
	if len(l.names) == maxOpen {
		l.leave(1)
	}
	s := saved2{name: m[1], plain: unescaped(m[1]), sealed: !l.full}
	folders := strings.Split(s.plain, "/")
	folders = folders[:len(folders)-1]
	s.bare = !slices.ContainsFunc(folders, hostName.MatchString) &&
		!slices.ContainsFunc(l.open, func(r request2) bool { return slices.Contains(folders, r.host()) })
	for _, r := range l.open {
		if f := s.fit(r); f < fitNone {
			s.open = append(s.open, fitting2{r, f})
		}
	}
	l.names = append(l.names, s)
	return true
}

// nameOf returns the file that was saved for a URL, or "" if none fits, or if it may belong to another
// URL as well.
func (l *log2) nameOf(u string) string {
	r, best, at := newRequest2(u), fitNone, 0
	for i := range l.names {
		if f := l.claim(&l.names[i], r); f < best {
			best, at = f, i
		}
	}
	if best == fitNone {
		return ""
	}
	name := l.names[at].name
	l.names = slices.Delete(l.names, at, at+1)
	return name
}

// claim returns how a file fits a request, or fitNone if another request fits it as well.
func (l *log2) claim(s *saved2, r request2) fit2 {
	f := s.fit(r)
	if f >= fitCut && (!s.sealed || !slices.Contains(s.open, fitting2{r, f})) || slices.ContainsFunc(s.open,
		func(o fitting2) bool { return o.request2 != r && (o.fit < f || o.fit == f && rivals(f, r, o.request2)) }) {
		f = fitNone
	}
	switch {
	case f < fitNone:
		return f
	case !s.owned() && (l.moved[s.plain] || l.moved[strings.TrimSuffix(s.plain, ".html")]):
		return fitMoved
	case !l.journal.Threads:
		return fitAlone
	}
	return fitNone
}

// rivals reports whether a file that fits two requests alike may belong to the other one. URLs that
// differ in the port alone share the file; see place.
func rivals(f fit2, r, other request2) bool {
	switch f {
	case fitExact, fitBelow:
		return false
	case fitExtended:
		return len(other.file) > len(r.file)
	case fitCut:
		return other.file != r.file
	}
	return true
}

// owned reports whether the whole path of a request is in the name.
func (s *saved2) owned() bool {
	return slices.ContainsFunc(s.open, func(o fitting2) bool { return o.fit <= fitExtended })
}

// fit returns how the name of the file is made from the URL of a request.
func (s *saved2) fit(r request2) fit2 {
	switch name := "/" + s.plain; {
	case s.plain == r.file:
		return fitExact
	case strings.HasSuffix(name, "/"+r.file):
		return fitBelow
	case strings.Contains(name, "/"+r.file+"."):
		return fitExtended
	}
	host := r.host()
	path := strings.ToLower(r.file[len(host):])
	if _, rest, ok := strings.Cut("/"+s.plain, "/"+host+"/"); ok {
		if strings.HasSuffix(path, "/"+strings.ToLower(rest)) {
			return fitCut
		}
		return fitNone
	}
	switch name := strings.ToLower("/" + s.plain); {
	case !s.bare:
	case name == path:
		return fitPath
	case lastPart(name) == lastPart(path):
		return fitLast
	}
	return fitNone
}

// leave reports the first names as files of unknown URLs. A retry writes the name of its request again.
func (l *log2) leave(n int) {
	for i := range l.names[:n] {
		if s := &l.names[i]; l.kept != nil && !s.owned() {
			l.kept([]string{s.name})
		}
	}
	l.names = slices.Delete(l.names, 0, n)
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
