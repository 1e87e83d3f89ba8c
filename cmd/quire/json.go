package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"quire/internal/secret"
)

// json prints v on one line, by rules that all commands share. A list is never null. A time is RFC
// 3339 in UTC, or null if unknown. If a text is not UTF-8, another member contains its bytes.
func (t *terminal) json(v any) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(plain(reflect.ValueOf(v))); err != nil {
		return err
	}
	t.print(line.String())
	return t.failed
}

// object is a JSON object with its members in order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for i, m := range o {
		b.WriteByte("{,"[min(i, 1)])
		if err := enc.Encode(m.name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(m.value); err != nil {
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
func members(v reflect.Value) object {
	var all object
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
		all = append(all, member{name, plain(v.Field(i))})
		if s := text(v.Field(i)); !utf8.ValidString(s) { // encoding/json writes bytes in base64
			all = append(all, member{name + bytesSuffix, []byte(secret.Conceal(s))})
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
