package oclc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// writeYAML writes all values in double quotes. Otherwise a language "no" would be false, and a
// date a number.
func writeYAML(out io.Writer, r Record) error {
	d := documentOf(r)
	var b strings.Builder
	fmt.Fprintf(&b, "standard: %s\n", quoted(d.Standard))
	if len(d.Statements) == 0 {
		b.WriteString("statements: []\n")
	} else {
		b.WriteString("statements:\n")
	}
	for _, s := range d.Statements {
		fmt.Fprintf(&b, "  - element: %s\n", quoted(s.Element))
		for _, q := range []struct{ name, value string }{{"lang", s.Lang}, {"kind", s.Kind}} {
			if q.value != "" {
				fmt.Fprintf(&b, "    %s: %s\n", q.name, quoted(q.value))
			}
		}
		fmt.Fprintf(&b, "    value: %s\n", quoted(s.Value))
		if s.Bytes != nil {
			fmt.Fprintf(&b, "    bytes: %s\n", quoted(*s.Bytes))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// quoted returns a double-quoted scalar (YAML 1.2.2, 7.3.1). It escapes characters not printable by
// 5.1, and the line ends of YAML 1.1.
func quoted(s string) string {
	b := []byte{'"'}
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c == '\n':
			b = append(b, `\n`...)
		case c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029 || c == 0xfeff || c == 0xfffe ||
			c == 0xffff:
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = append(b, string(c)...)
		}
	}
	return string(append(b, '"'))
}

func readYAML(doc []byte) (r Record, err error) {
	// The library's scanner panics on some invalid documents.
	defer func() {
		if p := recover(); p != nil {
			r, err = nil, fmt.Errorf("oclc: reading YAML: %v", p)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(doc))
	dec.KnownFields(true)
	var d document
	if err := dec.Decode(&d); err != nil {
		return nil, fmt.Errorf("oclc: reading YAML: %w", err)
	}
	var more any
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("oclc: reading YAML: data after the description")
	}
	return d.record()
}
