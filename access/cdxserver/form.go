package cdxserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"quire/holdings/captures"
)

// form is an output form of captures.
type form struct {
	mediaType string
	line      func(c *captures.Capture, q *question) []byte
}

var forms = map[string]form{
	"cdxj": {"text/x-cdxj; charset=utf-8", cdxj},
	"json": {"text/x-ndjson; charset=utf-8", func(c *captures.Capture, q *question) []byte {
		return object(nil, c, q.wanted(), 0)
	}},
	"text": {"text/plain; charset=utf-8", text},
	"cdx":  {"text/plain; charset=utf-8", text},
}

// readForm parses the output form and the fields.
func (q *question) readForm(v url.Values) error {
	name := first(v, "output")
	if name == "" {
		name = "cdxj"
	}
	var ok bool
	if q.form, ok = forms[name]; !ok {
		return fmt.Errorf("output=%.40q: must be cdxj, json or text", name)
	}
	list := first(v, "fields", "fl")
	if list == "" {
		return nil
	}
	for field := range strings.SplitSeq(list, ",") {
		known, ok := nameOf(field)
		if !ok {
			return fmt.Errorf("fl=: no field %.40q; the fields are %s", field, strings.Join(names, ", "))
		}
		if q.fields = append(q.fields, known); len(q.fields) > 2*len(names) {
			return fmt.Errorf("fl=: more than %d fields", 2*len(names))
		}
	}
	return nil
}

// wanted returns the fields to write, in forms that name each field.
func (q *question) wanted() []string {
	switch {
	case q.fields != nil:
		return q.fields
	case q.originals:
		return names
	}
	return names[:len(names)-4]
}

// cdxj writes key, timestamp, and a JSON object of the other fields (CDXJ).
func cdxj(c *captures.Capture, q *question) []byte {
	line := append(append([]byte(c.Key), ' '), c.Timestamp...)
	skip := 0
	if q.fields == nil {
		skip = 2 // they come before the object
	}
	return object(append(line, ' '), c, q.wanted(), skip)
}

// object writes the fields of a capture as a JSON object, and omits empty fields. All values are
// strings, as in pywb.
func object(line []byte, c *captures.Capture, fields []string, skip int) []byte {
	line = append(line, '{')
	some := false
	for _, field := range fields[skip:] {
		value := valueOf(field, c)
		if value == "" {
			continue
		}
		if some {
			line = append(line, ", "...)
		}
		some = true
		line = append(append(append(line, '"'), field...), `": `...)
		line = appendText(line, value)
	}
	return append(line, '}')
}

func appendText(line []byte, value string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // encoding a string cannot fail
	return append(line, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// text writes columns separated by spaces, with "-" for no value. It percent-encodes characters
// that would break the line.
func text(c *captures.Capture, q *question) []byte {
	fields := q.fields
	if fields == nil {
		fields = names[:columns]
		if q.originals {
			fields = append(fields[:columns:columns], "orig.length", "orig.offset", "orig.filename")
		}
	}
	var line []byte
	for i, field := range fields {
		if i > 0 {
			line = append(line, ' ')
		}
		line = appendColumn(line, valueOf(field, c))
	}
	return line
}

func appendColumn(line []byte, value string) []byte {
	if value == "" {
		return append(line, '-')
	}
	for i := range len(value) {
		if b := value[i]; b > ' ' && b != 0x7f {
			line = append(line, b)
		} else {
			line = fmt.Appendf(line, "%%%02X", b)
		}
	}
	return line
}
