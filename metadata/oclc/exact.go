package oclc

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"
)

// shown gives a value as UTF-8: each byte that is none becomes U+FFFD, and so does each character
// that must not stand there. intact says that nothing had to. It is the rule of
// docs/reference/350_xml-escaping.md, for forms that are not XML.
func shown(value string, forbidden func(rune) bool) (text string, intact bool) {
	intact = true
	var b strings.Builder
	for i := 0; i < len(value); {
		c, n := utf8.DecodeRuneInString(value[i:])
		if c == utf8.RuneError && n == 1 || forbidden(c) {
			intact = false
			b.WriteRune(utf8.RuneError)
		} else {
			b.WriteString(value[i : i+n])
		}
		i += n
	}
	return b.String(), intact
}

// anything forbids nothing: JSON and YAML have escapes for all characters.
func anything(rune) bool { return false }

// exactly gives the value that was written as text with its bytes beside it. A text that does not
// show these bytes was edited by someone who did not see them: which of the two is meant cannot be
// known.
func exactly(text, coded string, forbidden func(rune) bool) (string, error) {
	value, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		return "", fmt.Errorf("oclc: the bytes beside %.40q: %w", text, err)
	}
	if now, _ := shown(string(value), forbidden); now != text {
		return "",
			fmt.Errorf("oclc: %.40q was changed after it was written: remove the bytes beside it to keep it as it "+
				"stands", text)
	}
	return string(value), nil
}
