package oclc

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"
)

// displayForm returns a value as UTF-8: each invalid byte and each forbidden character becomes U+FFFD.
// intact reports that nothing changed. The rule is in docs/reference/350_xml-escaping.md, for forms
// other than XML.
func displayForm(value string, forbidden func(rune) bool) (text string, intact bool) {
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

// anything forbids no character: JSON and YAML have escapes for all.
func anything(rune) bool { return false }

// verifyBytes returns the value of a text from its exact bytes, which are stored next to it. If the
// text does not match these bytes, a person edited the text without noticing the bytes. The
// intended value is then unknown, and verifyBytes fails.
func verifyBytes(text, coded string, forbidden func(rune) bool) (string, error) {
	value, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		return "", fmt.Errorf("oclc: the bytes stored for the text %.40q: %w", text, err)
	}
	if now, _ := displayForm(string(value), forbidden); now != text {
		return "",
			fmt.Errorf("oclc: the text %.40q was edited, but not the bytes stored for it: remove these "+
				"bytes to keep the edited text", text)
	}
	return string(value), nil
}
