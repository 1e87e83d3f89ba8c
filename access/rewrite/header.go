package rewrite

import (
	"strings"

	"quire/format/weburl"
)

// Field is one header field.
type Field struct{ Name, Value string }

// Orig is the prefix of header fields that are shown, but have no effect.
const Orig = "X-Archive-Orig-"

// MaxOrig limits the archived header fields, in bytes: proxies reject long headers.
const MaxOrig = 16 << 10

// Header returns the header of the replayed response, from the captured one. Content-Type and
// Content-Language stay, and so does Content-Disposition, except in frames. Location, Refresh and
// the Links to style sheets, scripts and preloads are rewritten, to URLs of the given kind. Each
// other field becomes X-Archive-Orig-*: it could set a policy, cookies or storage for our host.
// This includes Content-Location, because in a memento it names the chosen capture (RFC 7089, 4.1).
//
// Header omits invalid fields (RFC 9110, 5.5: CR, LF, NUL and other controls in a value), and
// fields beyond MaxOrig.
func (rw *Rewriter) Header(kind Kind, in []Field) []Field {
	out := make([]Field, 0, len(in)+2)
	room := MaxOrig
	show := func(f Field) {
		if n := len(Orig) + len(f.Name) + len(f.Value) + 4; n <= room {
			room -= n
			out = append(out, Field{Orig + f.Name, f.Value})
		}
	}
	seen := map[string]bool{}
	for _, f := range in {
		f.Value = strings.Trim(f.Value, " \t")
		if !isToken(f.Name) || !isValue(f.Value) {
			continue
		}
		name := strings.ToLower(f.Name)
		first := !seen[name]
		seen[name] = true
		switch name {
		case "content-type", "content-language":
			if first {
				out = append(out, f)
				continue
			}
		case "content-disposition":
			if first && kind != Frame {
				out = append(out, f)
				continue
			}
		case "location", "refresh", "link":
			show(f)
			if value, ok := rw.headerValue(kind, name, f.Value); ok && (first || name == "link") {
				out = append(out, Field{f.Name, value})
			}
			continue
		}
		show(f)
	}
	return out
}

func (rw *Rewriter) headerValue(kind Kind, name, value string) (string, bool) {
	switch name {
	case "location":
		return rw.Location(kind, value)
	case "refresh":
		return rw.refresh(kind, value)
	}
	return rw.linkValue(value)
}

// Location returns the replay URL for a redirect (RFC 9110, 10.2.2); ok is false if it has none. A
// fragment stays.
func (rw *Rewriter) Location(kind Kind, location string) (string, bool) {
	base, _ := weburl.Parse(rw.Base, nil, nil) // if invalid, absolute targets still work
	u, err := weburl.Parse(location, base, nil)
	if err != nil || !archived(u.Scheme) {
		return "", false
	}
	made := rw.URL(kind, u.Resource())
	if strings.Contains(location, "#") {
		made += "#" + u.Fragment
	}
	return made, true
}

// isToken reports whether s can be a field name (RFC 9110, 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}

func isValue(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
