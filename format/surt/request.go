package surt

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds on the addition of a request to a key.
const (
	MaxBody  = 1 << 20 // bytes of a body read; of a longer body only the beginning is used, as binary
	maxAdded = 4096    // bytes added, as in pywb and jwarc
	maxDepth = 1000    // of nested arrays and objects
)

// WithRequest returns a URL that represents a request. It adds to the query the method, if it is
// not GET, and the body of POST and PUT as arguments ("CDX for non-GET requests", a draft of the
// IIPC, as pywb implements it). contentType is the type of the body. WithRequest needs at most
// MaxBody bytes of the body and one more.
//
// Two details differ: null is "None", as in the draft, while pywb writes "null" since 2.7; and AMF
// is treated as binary.
func WithRequest(address, method, contentType string, body []byte) string {
	method = strings.ToUpper(strings.TrimSpace(method))
	if method == "" || method == "GET" {
		return address
	}
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	address, _, _ = strings.Cut(address, "#")
	address += separator + "__wb_method=" + url.QueryEscape(method[:min(len(method), 64)])
	if method != "POST" && method != "PUT" || len(body) == 0 {
		return address
	}
	if added := bodyArguments(contentType, body); added != "" {
		address += "&" + added[:min(len(added), maxAdded)]
	}
	return address
}

// bodyArguments returns a body as arguments of a query.
func bodyArguments(contentType string, body []byte) string {
	if len(body) > MaxBody {
		return binary(body)
	}
	kind := strings.ToLower(strings.TrimSpace(contentType))
	switch {
	case strings.HasPrefix(kind, "application/x-www-form-urlencoded"):
		if utf8.Valid(body) {
			return formDecoded(string(body))
		}
	case strings.HasPrefix(kind, "multipart/"):
		if arguments, ok := partArguments(contentType, body); ok {
			return arguments
		}
	case strings.HasPrefix(kind, "application/json"):
		arguments, _ := jsonArguments(body) // an invalid body adds no arguments
		return arguments
	case strings.HasPrefix(kind, "text/plain"):
		if arguments, ok := jsonArguments(body); ok {
			return arguments
		}
	}
	return binary(body)
}

// binary returns an unknown body in Base64, up to the bound.
func binary(body []byte) string {
	return "__wb_post_data=" + base64.StdEncoding.EncodeToString(body[:min(len(body), maxAdded)])
}

// formDecoded decodes a form once; Key encodes where necessary.
func formDecoded(form string) string {
	form = strings.ReplaceAll(form, "+", " ")
	if plain, err := url.PathUnescape(form); err == nil {
		return plain
	}
	var b strings.Builder // keep percent signs that are not escapes
	for i := 0; i < len(form); i++ {
		if form[i] == '%' && i+2 < len(form) && unhex(form[i+1]) >= 0 && unhex(form[i+2]) >= 0 {
			b.WriteByte(byte(unhex(form[i+1])<<4 | unhex(form[i+2])))
			i += 2
			continue
		}
		b.WriteByte(form[i])
	}
	return b.String()
}

// partArguments parses a multipart form (RFC 7578).
func partArguments(contentType string, body []byte) (string, bool) {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil || params["boundary"] == "" {
		return "", false
	}
	var b strings.Builder
	for r := multipart.NewReader(bytes.NewReader(body), params["boundary"]); b.Len() < maxAdded; {
		part, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", false
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return "", false
		}
		argument(&b, part.FormName(), string(value))
	}
	return b.String(), true
}

func argument(b *strings.Builder, name, value string) {
	if b.Len() > 0 {
		b.WriteByte('&')
	}
	b.WriteString(url.QueryEscape(name[:min(len(name), maxAdded)]) + "=" +
		url.QueryEscape(value[:min(len(value), maxAdded)]))
}

// jsonArguments makes an argument of each named value in a JSON text: "a=1&a.2_=True". The whole
// text must be valid.
func jsonArguments(body []byte) (string, bool) {
	if !json.Valid(body) {
		return "", false
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	j := &jsonReader{d: d, seen: map[string]int{}}
	if err := j.value("", 0); err != nil {
		return "", false
	}
	return j.out.String(), true
}

type jsonReader struct {
	d    *json.Decoder
	out  strings.Builder
	seen map[string]int // how often a name has occurred
}

var errDeep = errors.New("too deep")

// value parses one value and its members.
func (j *jsonReader) value(name string, depth int) error {
	if depth > maxDepth {
		return errDeep
	}
	token, err := j.d.Token()
	if err != nil {
		return err
	}
	switch v := token.(type) {
	case json.Delim:
		for j.d.More() {
			member := name
			if v == '{' {
				key, err := j.d.Token()
				if err != nil {
					return err
				}
				member, _ = key.(string) // the name of a member is always a string
			}
			if err := j.value(member, depth+1); err != nil {
				return err
			}
		}
		_, err := j.d.Token()
		return err
	case bool:
		j.add(name, map[bool]string{true: "True", false: "False"}[v])
	case nil:
		j.add(name, "None")
	case json.Number:
		j.add(name, v.String())
	case string:
		j.add(name, v)
	}
	return nil
}

func (j *jsonReader) add(name, value string) {
	if name == "" || j.out.Len() >= maxAdded {
		return
	}
	j.seen[name]++
	if n := j.seen[name]; n > 1 {
		name += "." + strconv.Itoa(n) + "_"
	}
	argument(&j.out, name, value)
}
