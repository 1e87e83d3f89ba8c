package oclc

import (
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// The qualifiers of a value are in fields after it, named after it: "title-lang: fr" after "title:
// …".
const (
	fieldLang  = "-lang"
	fieldKind  = "-kind"
	fieldBytes = "-bytes"
)

// notInField reports whether a one-line field cannot carry a character: line ends of any reader,
// and controls.
func notInField(c rune) bool { return unicode.IsControl(c) || c == 0x2028 || c == 0x2029 }

// writeFields writes one field per line. Besides the forbidden characters, it protects blanks at
// the ends, which readers trim, and texts that look like an encoded word of RFC 2047, which WARC
// allows (clause 4).
func writeFields(out io.Writer, r Record) error {
	var b strings.Builder
	for _, s := range r {
		text, intact := displayForm(s.Value, notInField)
		text = strings.TrimSpace(text)
		fmt.Fprintf(&b, "%s: %s\r\n", s.Element, text)
		if s.Lang != "" {
			fmt.Fprintf(&b, "%s%s: %s\r\n", s.Element, fieldLang, s.Lang)
		}
		if s.Kind != "" {
			fmt.Fprintf(&b, "%s%s: %s\r\n", s.Element, fieldKind, s.Kind)
		}
		if !intact || text != s.Value || strings.Contains(text, "=?") {
			fmt.Fprintf(&b, "%s%s: %s\r\n", s.Element, fieldBytes, base64.StdEncoding.EncodeToString([]byte(s.Value)))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func readFields(doc []byte) (Record, error) {
	var r Record
	n := 0
	for line := range strings.Lines(string(doc)) {
		n++
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("oclc: line %d: %.40q is not a field", n, line)
		}
		name, value = strings.ToLower(name), strings.TrimSpace(value)
		qualifies, err := r.qualify(name, value)
		if err != nil {
			return nil, fmt.Errorf("oclc: line %d: %w", n, err)
		}
		if !qualifies {
			r = append(r, Statement{Element: Element(name), Value: value}) // Check reports an unknown element
		}
	}
	return r, nil
}

// qualify adds a field to the statement before it, if it is a qualifier.
func (r Record) qualify(name, value string) (bool, error) {
	if len(r) == 0 {
		return false, nil
	}
	last := &r[len(r)-1]
	about, ok := strings.CutPrefix(name, string(last.Element))
	if !ok {
		return false, nil
	}
	switch {
	case about == fieldLang && last.Lang == "":
		last.Lang = value
	case about == fieldKind && last.Kind == "":
		last.Kind = value
	case about == fieldBytes:
		exact, err := exactField(last.Value, value)
		last.Value = exact
		return true, err
	default:
		return false, nil
	}
	return true, nil
}

// exactField is exactly, for a value with trimmed ends.
func exactField(text, coded string) (string, error) {
	value, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		return "", fmt.Errorf("the bytes stored for the text %.40q: %w", text, err)
	}
	if now, _ := displayForm(string(value), notInField); strings.TrimSpace(now) != text {
		return "",
			fmt.Errorf("the text %.40q was edited, but not the bytes stored for it: remove these bytes "+
				"to keep the edited text",
				text)
	}
	return string(value), nil
}
