package builtin

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"mime"
	"strings"

	"golang.org/x/net/html"
)

// htmlToUTF8 writes an HTML document in UTF-8, and changes the encoding that it declares of itself: in meta elements and in an XML
// declaration. Nothing else of it changes. What encoding it is in is found in the order of the Encoding sniffing algorithm (HTML
// Standard, 13.2.3.2), but for the guesses at its end: a document that declares none is an error, unless the rule says what it is.
func htmlToUTF8(in Input) (Output, error) {
	media, _, err := mime.ParseMediaType(in.ContentType)
	if err != nil {
		media = "text/html"
	}
	found, err := sniff(in, strings.HasSuffix(media, "xml"))
	if err != nil {
		return Output{}, err
	}
	text, err := decode(in.Content, found.name)
	if err != nil {
		return Output{}, fmt.Errorf("it is %.40s by its %s, but %w", cmp.Or(found.label, found.name), found.by, err)
	}
	made := declareUTF8(text)
	if bytes.Equal(made, withoutBOM(in.Content)) {
		return Output{}, ErrUnneeded
	}
	note := fmt.Sprintf("from %s, by its %s", found.name, found.by)
	if found.label != "" && !strings.EqualFold(found.label, found.name) {
		note = fmt.Sprintf("from %s, as %.40q is read, by its %s", found.name, found.label, found.by)
	}
	return Output{Content: made, ContentType: media + ";charset=utf-8", Notes: []string{note}}, nil
}

func withoutBOM(b []byte) []byte { return bytes.TrimPrefix(b, []byte(bomUTF8)) }

// declareUTF8 puts utf-8 in the place of each encoding that a document declares of itself.
func declareUTF8(text []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(text))
	rest := text
	if start, end, ok := xmlEncoding(rest); ok && resolve(string(rest[start:end])) != "" {
		out.Write(rest[:start])
		out.WriteString("utf-8")
		rest = rest[end:]
	}
	z := html.NewTokenizer(bytes.NewReader(rest))
	for {
		kind := z.Next()
		raw := z.Raw()
		if kind == html.ErrorToken {
			out.Write(rest) // what the tokenizer leaves at the end of a document that breaks off
			return out.Bytes()
		}
		rest = rest[len(raw):]
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			out.Write(raw)
			continue
		}
		at := 0
		for _, place := range metaCharsets(raw) {
			out.Write(raw[at:place.start])
			out.WriteString("utf-8")
			at = place.end
		}
		out.Write(raw[at:])
	}
}

// span is a part of a tag.
type span struct{ start, end int }

// metaCharsets are the places in a tag where a meta element declares an encoding that there is.
func metaCharsets(tag []byte) (places []span) {
	if !isMeta(tag) {
		return nil
	}
	m := readMeta(tag, len("<meta"))
	for _, p := range []span{m.charset, m.content} {
		if p.end > p.start && (p != m.content || m.pragma) && resolve(string(tag[p.start:p.end])) != "" {
			places = append(places, p)
		}
	}
	if len(places) == 2 && places[0].start > places[1].start {
		places[0], places[1] = places[1], places[0]
	}
	return places
}

// encodingFound is an encoding, with what told it.
type encodingFound struct {
	name  string // as the Encoding Standard has it
	label string // as it was declared
	by    string
}

const bomUTF8 = "\xef\xbb\xbf"

var errUndeclared = errors.New("it declares no encoding; a rule can say what that means (undeclared: windows-1252)")

// sniff finds the encoding of a document: by byte order mark, HTTP header and declaration in the document, in this order.
func sniff(in Input, isXML bool) (encodingFound, error) {
	b := in.Content
	for mark, name := range map[string]string{bomUTF8: "utf-8", "\xfe\xff": "utf-16be", "\xff\xfe": "utf-16le"} {
		if bytes.HasPrefix(b, []byte(mark)) {
			return encodingFound{name, "", "byte order mark"}, nil
		}
	}
	if label := transportCharset(in.ContentType); resolve(label) != "" {
		return encodingFound{resolve(label), label, "HTTP header"}, nil
	}
	if isXML { // XML 1.0, 4.3.3
		if start, end, ok := xmlEncoding(b); ok {
			label := string(b[start:end])
			if resolve(label) == "" {
				return encodingFound{}, fmt.Errorf("its XML declaration names an encoding that is not known: %.40q", label)
			}
			return encodingFound{resolve(label), label, "XML declaration"}, nil
		}
		return encodingFound{"utf-8", "", "being XML"}, nil
	}
	if found, ok := prescan(b[:min(len(b), prescanned)]); ok {
		return found, nil
	}
	switch name := resolve(in.Undeclared); {
	case !bytes.ContainsFunc(b, func(r rune) bool { return r >= 0x80 || r == 0x1b }):
		return encodingFound{"us-ascii", "", "content"}, nil
	case name != "":
		return encodingFound{name, in.Undeclared, "rule, for it declares none"}, nil
	}
	return encodingFound{}, errUndeclared
}

// transportCharset is the charset of a Content-Type, also of one that is not well-formed in other places.
func transportCharset(contentType string) string {
	if _, params, err := mime.ParseMediaType(contentType); err == nil {
		return params["charset"]
	}
	s := charsetIn([]byte(contentType))
	return contentType[s.start:s.end]
}
