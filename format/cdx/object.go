package cdx

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// cutObject cuts a line of CDXJ into key, time and object. The time may be missing, as in a
// secondary index.
func cutObject(line string) (key, timestamp, object string, ok bool) {
	key, rest, ok := strings.Cut(line, " ")
	rest = strings.TrimLeft(rest, " ")
	if !ok || key == "" || rest == "" {
		return "", "", "", false
	}
	if rest[0] != '{' {
		if timestamp, rest, ok = strings.Cut(rest, " "); !ok {
			return "", "", "", false
		}
		rest = strings.TrimLeft(rest, " ")
	}
	return key, timestamp, rest, strings.HasPrefix(rest, "{")
}

// object parses a line of CDXJ.
func (r *Reader) object(e *Entry, line string) bool {
	key, timestamp, object, ok := cutObject(line)
	if !ok {
		r.fault(e, FaultLine, "the line is not a key, a time and a JSON object: %.100q", line)
		return false
	}
	members, err := membersOf(object)
	if err != nil {
		r.fault(e, FaultJSON, "%v: %.100q", err, line)
		return false
	}
	e.Key = key
	seen := map[string]bool{}
	for _, m := range members {
		if seen[m.Name] {
			r.fault(e, FaultJSON, "the member %.40q occurs twice", m.Name)
			continue
		}
		seen[m.Name] = true
		r.member(e, m)
	}
	r.setTime(e, columnValue(timestamp))
	return true
}

// membersOf returns the members of a JSON object in order, with their values as written.
func membersOf(object string) ([]Extra, error) {
	d := json.NewDecoder(strings.NewReader(object))
	if _, err := d.Token(); err != nil { // opening brace
		return nil, err
	}
	var all []Extra
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		text, _ := name.(string) // Token fails unless the name is a string
		all = append(all, Extra{Name: text, Value: string(value), JSON: true})
	}
	if _, err := d.Token(); err != nil { // closing brace
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("data after the JSON object")
	}
	return all, nil
}

// memberRecord is Quire's own: CDXJ has no member for the record id that wget writes.
const memberRecord = "recordid"

// member stores a member in its field. It accepts numbers written as strings: pywb writes strings,
// Browsertrix writes numbers. A value of an unexpected type is kept unchanged.
func (r *Reader) member(e *Entry, m Extra) {
	text, plain := scalar(m.Value)
	if !plain {
		e.Extra = append(e.Extra, m)
		return
	}
	value := columnValue(text)
	switch m.Name {
	case "url":
		e.URL = value
	case "mime":
		e.MIME = value
	case "status":
		r.setStatus(e, value)
	case "digest":
		e.Digest = value
	case "redirect":
		e.Redirect = value
	case "length":
		r.setNumber(e, &e.Length, m.Name, value)
	case "offset":
		r.setNumber(e, &e.Offset, m.Name, value)
	case "filename":
		e.File = value
	case "ip":
		e.IP = value
	case memberRecord:
		e.RecordID = value
	default:
		e.Extra = append(e.Extra, m)
	}
}

// scalar returns the text of a JSON string or number, and whether value is one. null means the same
// as a dash.
func scalar(value string) (text string, ok bool) {
	switch {
	case value == "null":
		return dash, true
	case value[0] == '"':
		return text, json.Unmarshal([]byte(value), &text) == nil
	case value[0] == '-' || value[0] >= '0' && value[0] <= '9':
		return value, true
	}
	return "", false
}

// isBlock reports whether line is a line of a ZipNum index. Such a line has key and time, the name
// of a part, offset, length, and often the number of the block, separated by tabs.
func isBlock(line string) bool {
	words := strings.Split(line, "\t")
	if len(words) < 4 || len(words) > 5 {
		return false
	}
	for _, w := range words[2:] {
		if n, ok := number(w); !ok || n < 0 {
			return false
		}
	}
	return true
}

// block parses a line of a ZipNum index.
func (r *Reader) block(e *Entry, line string) bool {
	if !isBlock(line) {
		r.fault(e, FaultLine, "the line is not a key, a part, an offset and a length: %.100q", line)
		return false
	}
	words := strings.Split(line, "\t")
	key, timestamp, _ := strings.Cut(words[0], " ")
	e.Key, e.File = key, words[1]
	r.setTime(e, columnValue(timestamp))
	r.setNumber(e, &e.Offset, "offset", words[2])
	r.setNumber(e, &e.Length, "length", words[3])
	if len(words) == 5 {
		e.Extra = append(e.Extra, Extra{Name: "block", Value: words[4]})
	}
	return true
}

// jsonText returns s as a JSON string, without the escapes for HTML.
func jsonText(s string) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n"), err
}
