package rewrite

import (
	"strings"

	"quire/format/weburl"
)

// Field is one field of a head.
type Field struct{ Name, Value string }

// Orig is what the names of fields begin with that are shown, and have no effect.
const Orig = "X-Archive-Orig-"

// MaxOrig bounds what is shown of a head, in bytes: proxies refuse long ones.
const MaxOrig = 16 << 10

// Header gives the head of the answer for one that was captured. Content-Type, Content-Language and
// Content-Disposition stay, this but in frames; Location, Refresh and the Links to style sheets,
// scripts and what is fetched early are rewritten, to URLs of the kind given. Each other field
// becomes X-Archive-Orig-*: it could set policy, cookies or stores of our own host.
// Content-Location is among these, since it says of a memento which one was chosen (RFC 7089, 4.1).
//
// Fields that no server may send (RFC 9110, 5.5: CR, LF, NUL and other controls in a value) are
// left out, and so is what exceeds MaxOrig.
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

// Location gives the URL of the replay for where an answer leads (RFC 9110, 10.2.2); false where
// that is none. A fragment stays.
func (rw *Rewriter) Location(kind Kind, location string) (string, bool) {
	base, _ := weburl.Parse(rw.Base, nil, nil) // where it is none, an absolute one can be followed all the same
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

// isToken: can this be the name of a field (RFC 9110, 5.6.2)?
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
