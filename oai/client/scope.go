package client

import (
	"bytes"
	"slices"
)

// scope holds the namespace declarations of the elements around a record. The declarations of the
// outermost element come first.
type scope []declaration

type declaration struct {
	name  string // "xmlns" or "xmlns:PREFIX"
	value string // as written, with its references
}

// declarations returns the declarations in a start tag. It is lenient, because the parser checks
// the tag.
func declarations(tag []byte) scope {
	var all scope
	for rest := tag; ; {
		i := bytes.Index(rest, []byte("xmlns"))
		if i < 0 || len(all) == maxParts {
			return all
		}
		before := i > 0 && isSpace(rest[i-1])
		rest = rest[i:]
		n := nameLen(rest)
		name := string(rest[:n])
		rest = bytes.TrimLeft(rest[n:], " \t\r\n")
		if !before || name != "xmlns" && (len(name) < 7 || name[5] != ':') || len(rest) == 0 || rest[0] != '=' {
			continue
		}
		rest = bytes.TrimLeft(rest[1:], " \t\r\n")
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			continue
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return all
		}
		all = append(all, declaration{name, string(rest[1 : 1+end])})
		rest = rest[1+end:]
	}
}

// with adds the declarations of an inner element.
func (s scope) with(tag []byte) scope {
	all := slices.Clone(s)
	for _, d := range declarations(tag) {
		if i := slices.IndexFunc(all, func(o declaration) bool { return o.name == d.name }); i >= 0 {
			all[i] = d
		} else {
			all = append(all, d)
		}
	}
	return all
}

// missing returns, as attributes, the declarations that a start tag lacks.
func (s scope) missing(tag []byte) []byte {
	own := declarations(tag)
	var b []byte
	for _, d := range s {
		if !slices.ContainsFunc(own, func(o declaration) bool { return o.name == d.name }) {
			b = append(b, ' ')
			b = append(b, d.name...)
			b = append(b, '=', '"')
			b = append(b, bytes.ReplaceAll([]byte(d.value), []byte{'"'}, []byte("&quot;"))...)
			b = append(b, '"')
		}
	}
	return b
}
