package ocfl

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// blockCodes are the codes for errors in a block that maps digests to paths: manifest, fixity or
// state.
type blockCodes struct {
	object    string // it is not a JSON object
	duplicate string // a digest occurs twice
	list      string // the value of a digest is not a list of paths
	path      string // a path is not a string
}

// block reads digest → paths. It returns nil if the value has another type.
func (d *decoder) block(value json.Token, codes blockCodes, where string) map[string][]string {
	block := map[string][]string{}
	ok := d.objectOf(value, codes.object, codes.duplicate, where, func(digest string, value json.Token) {
		block[digest] = append(block[digest], d.paths(value, codes, where)...)
	})
	if !ok {
		return nil
	}
	return block
}

func (d *decoder) paths(value json.Token, codes blockCodes, where string) []string {
	if value != json.Delim('[') {
		d.wrongKind(value, codes.list, where, "a list of paths")
		return nil
	}
	list := []string{}
	for d.err == nil {
		t := d.token()
		if t == json.Delim(']') {
			break
		}
		if s, ok := t.(string); ok {
			list = append(list, s)
		} else {
			d.wrongKind(t, codes.path, where, "a path")
		}
	}
	return list
}

// object reads an object member by member. If the value has another type, it reports the code and
// returns false. A repeated key breaks the JSON structure of clause 3.5: readers would disagree
// about the valid one.
func (d *decoder) object(value json.Token, code, where string, member func(key string, value json.Token)) bool {
	return d.objectOf(value, code, "E033", where, member)
}

func (d *decoder) objectOf(value json.Token, code, duplicate, where string, member func(string, json.Token)) bool {
	if value != json.Delim('{') {
		d.wrongKind(value, code, where, "an object")
		return false
	}
	seen := map[string]struct{}{}
	for d.err == nil {
		key, ok := d.token().(string)
		if !ok {
			break // the closing brace, or an error
		}
		if _, twice := seen[key]; twice {
			d.issue(duplicate, where, "the key %q occurs twice", key)
		}
		seen[key] = struct{}{}
		if v := d.token(); d.err == nil {
			member(key, v)
		}
	}
	return true
}

func (d *decoder) text(value json.Token, code, where string) string {
	s, ok := value.(string)
	if !ok {
		d.wrongKind(value, code, where, "a string")
	}
	return s
}

// wrongKind records a value of the wrong type, and skips it.
func (d *decoder) wrongKind(value json.Token, code, where, want string) {
	if d.err != nil {
		return
	}
	d.issue(code, where, "must be %s, but is %s", want, kindOf(value))
	d.skip(value)
}

// skip skips the rest of a value after its first token.
func (d *decoder) skip(first json.Token) {
	depth := 0
	for t := first; d.err == nil; t = d.token() {
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return
		}
		if depth > maxDepth {
			d.fail(errors.New("values are nested too deeply"))
		}
	}
}

func kindOf(value json.Token) string {
	switch v := value.(type) {
	case json.Delim:
		if v == '{' {
			return "an object"
		}
		return "a list"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case nil:
		return "null"
	}
	return "a number"
}

// timestamp reads an Internet date/time (RFC 3339, clause 5.6): with seconds and a zone. T and Z
// may be lower case, and a leap second is allowed. Go's time package accepts neither, so timestamp
// converts both first. Go accepts a comma before a fraction, but that is ISO 8601 and not RFC 3339.
func (d *decoder) timestamp(value json.Token, where string) time.Time {
	s, ok := value.(string)
	if !ok {
		d.wrongKind(value, "E049", where, "a date and time")
		return time.Time{}
	}
	var t time.Time
	text, leap := strings.ToUpper(s), false
	if len(text) > 19 && text[17:19] == "60" {
		text, leap = text[:17]+"59"+text[19:], true
	}
	if err := t.UnmarshalText([]byte(text)); err != nil || strings.Contains(text, ",") {
		d.issue("E049", where, "%q is not a date and time with seconds and zone (RFC 3339)", s)
		return time.Time{}
	}
	if leap {
		t = t.Add(time.Second)
	}
	return t
}
