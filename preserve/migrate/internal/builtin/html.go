package builtin

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"mime"
	"strings"

	"golang.org/x/net/html"

	"quire/format/charset"
)

// htmlToUTF8 converts an HTML document to UTF-8, and changes its declarations of encoding: in meta
// elements and in an XML declaration. Nothing else changes. The encoding is determined in the order
// of the Encoding sniffing algorithm (HTML Standard, 13.2.3.2), without the guesses at its end. A
// document without a declared encoding is an error, unless the rule states one.
func htmlToUTF8(in Input) (Output, error) {
	media, _, err := mime.ParseMediaType(in.ContentType)
	if err != nil {
		media = "text/html"
	}
	found, err := sniff(in, strings.HasSuffix(media, "xml"))
	if err != nil {
		return Output{}, err
	}
	text, err := charset.Decode(in.Content, found.Name)
	if err != nil {
		return Output{}, fmt.Errorf("it is %.40s by its %s, but %w", cmp.Or(found.Label, found.Name), found.By, err)
	}
	made := declareUTF8(text)
	if bytes.Equal(made, withoutBOM(in.Content)) {
		return Output{}, ErrUnneeded
	}
	note := fmt.Sprintf("from %s, by its %s", found.Name, found.By)
	if found.Label != "" && !strings.EqualFold(found.Label, found.Name) {
		note = fmt.Sprintf("from %s, as %.40q is read, by its %s", found.Name, found.Label, found.By)
	}
	return Output{Content: made, ContentType: media + ";charset=utf-8", Notes: []string{note}}, nil
}

func withoutBOM(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")) }

// declareUTF8 replaces each declared encoding of a document by utf-8.
func declareUTF8(text []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(text))
	rest := text
	if start, end, ok := charset.XMLDeclaration(rest); ok && charset.Resolve(string(rest[start:end])) != "" {
		out.Write(rest[:start])
		out.WriteString("utf-8")
		rest = rest[end:]
	}
	z := html.NewTokenizer(bytes.NewReader(rest))
	for {
		kind := z.Next()
		raw := z.Raw()
		if kind == html.ErrorToken {
			out.Write(rest) // the rest of a truncated document, which the tokenizer leaves
			return out.Bytes()
		}
		rest = rest[len(raw):]
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			out.Write(raw)
			continue
		}
		at := 0
		for _, place := range charset.MetaCharsets(raw) {
			out.Write(raw[at:place[0]])
			out.WriteString("utf-8")
			at = place[1]
		}
		out.Write(raw[at:])
	}
}

var errUndeclared = errors.New("it declares no encoding; a rule can say what that means (undeclared: windows-1252)")

// sniff determines the encoding of a document; if it declares none, the rule's encoding applies.
func sniff(in Input, isXML bool) (charset.Found, error) {
	found, err := charset.Sniff(in.Content, in.ContentType, isXML)
	if !errors.Is(err, charset.ErrUndeclared) {
		return found, err
	}
	if name := charset.Resolve(in.Undeclared); name != "" {
		return charset.Found{Name: name, Label: in.Undeclared, By: "rule, for it declares none"}, nil
	}
	return charset.Found{}, errUndeclared
}
