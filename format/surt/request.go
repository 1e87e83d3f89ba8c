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

// Bounds of what a request adds to a key.
const (
	MaxBody  = 1 << 20 // bytes of a body that are read; of a longer one the beginning counts, as binary
	maxAdded = 4096    // bytes that are added, as pywb and jwarc have it
	maxDepth = 1000    // of arrays and objects within each other
)

// WithRequest gives a URL that stands for a request: with its method, when that is not GET, and
// what it sent, as arguments of the query ("CDX for non-GET requests", a draft of the IIPC, as pywb
// does it: the body of POST and PUT). contentType is that of the body. It wants no more of the body
// than MaxBody and one byte.
//
// Two of a kind differ: null is "None", as the draft has it, where pywb writes "null" since 2.7;
// AMF is taken as binary.
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
	if added := sent(contentType, body); added != "" {
		address += "&" + added[:min(len(added), maxAdded)]
	}
	return address
}

// sent is a body as arguments of a query.
func sent(contentType string, body []byte) string {
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
		arguments, _ := jsonArguments(body) // of what is none, nothing is told
		return arguments
	case strings.HasPrefix(kind, "text/plain"):
		if arguments, ok := jsonArguments(body); ok {
			return arguments
		}
	}
	return binary(body)
}

// binary is what is not understood, in Base64, as far as it counts.
func binary(body []byte) string {
	return "__wb_post_data=" + base64.StdEncoding.EncodeToString(body[:min(len(body), maxAdded)])
}

// formDecoded decodes a form once: Key encodes what must be.
func formDecoded(form string) string {
	form = strings.ReplaceAll(form, "+", " ")
	if plain, err := url.PathUnescape(form); err == nil {
		return plain
	}
	var b strings.Builder // there are percent signs that are no escapes: these stay
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

// partArguments reads a form in parts (RFC 7578).
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

// jsonArguments makes an argument of each value with a name in a JSON text: "a=1&a.2_=True". It
// must be one to its end.
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
	seen map[string]int // how often a name has come
}

var errDeep = errors.New("too deep")

// value reads one value, and what is in it.
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
				member, _ = key.(string) // the name of a member is one
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
