// Package jsonline writes values as JSON, one line each, by rules that all outputs of Quire share.
//
// A list is never null. A time is RFC 3339 in UTC, or null if unknown. If a text is not UTF-8, another
// member, named with the suffix _base64, has its bytes. Passwords in URLs are concealed.
package jsonline

import (
	"bytes"
	"encoding"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"quire/internal/secret"
)

// Encode writes a value and a line end.
func Encode(to io.Writer, v any) error {
	enc := json.NewEncoder(to)
	enc.SetEscapeHTML(false)
	return enc.Encode(plain(reflect.ValueOf(v)))
}

// Members returns the fields of a struct, or of the one that v points to, as encoding/json names them.
func Members(v any) Object {
	of := reflect.ValueOf(v)
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	return members(of)
}

// Object is a JSON object with its members in order.
type Object []Member

// Member is a member of an Object.
type Member struct {
	Name  string
	Value any
}

// MarshalJSON implements json.Marshaler.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for i, m := range o {
		b.WriteByte("{,"[min(i, 1)])
		if err := enc.Encode(m.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(m.Value); err != nil {
			return nil, err
		}
	}
	if len(o) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// plain converts a value into one that encoding/json writes by the rules above.
func plain(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	switch known := v.Interface().(type) {
	case time.Time:
		if known.IsZero() {
			return nil
		}
		return known.UTC()
	case json.Marshaler, encoding.TextMarshaler:
		if v.Kind() != reflect.Pointer {
			return known
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem())
	case reflect.Struct:
		return members(v)
	case reflect.Slice, reflect.Array:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plain(v.Index(i))
		}
		return list
	case reflect.Map:
		values := map[string]any{}
		for _, key := range v.MapKeys() {
			values[key.String()] = plain(v.MapIndex(key))
		}
		return values
	}
	if s := text(v); strings.Contains(s, "@") {
		return secret.Conceal(s)
	}
	return v.Interface()
}

// members lists the fields of a struct as encoding/json names them.
func members(v reflect.Value) Object {
	var all Object
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "" && field.Anonymous && field.Type.Kind() == reflect.Struct:
			all = append(all, members(v.Field(i))...)
			continue
		case name == "-" || !field.IsExported():
			continue
		case strings.HasPrefix(options, "omit") && v.Field(i).IsZero():
			continue
		case name == "":
			name = field.Name
		}
		all = append(all, Member{name, plain(v.Field(i))})
		if s := text(v.Field(i)); !utf8.ValidString(s) { // encoding/json writes bytes in base64
			all = append(all, Member{name + bytesSuffix, []byte(secret.Conceal(s))})
		}
	}
	return all
}

// bytesSuffix is added to the name of a text that is not UTF-8. JSON cannot hold such a text: the
// text has U+FFFD for the wrong bytes, and a second member has all bytes in base64. File names and
// crawler fields can be like this.
const bytesSuffix = "_base64"

// text returns the text of a field, or "" if it holds none.
func text(v reflect.Value) string {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() == reflect.String {
		return v.String()
	}
	return ""
}
