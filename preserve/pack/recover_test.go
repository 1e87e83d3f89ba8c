package pack

import (
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// recovered reads every value of a document, attributes and texts, by
// docs/reference/350_xml-escaping.md alone. It does not use quire/metadata/xmlstream, like a future
// reader in fifty years.
func recovered(t *testing.T, doc string) []string {
	t.Helper()
	r := recoverer{}
	for d := xml.NewDecoder(strings.NewReader(doc)); ; {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return r.values
		}
		if err == nil {
			err = r.token(token)
		}
		if err != nil {
			t.Fatalf("byte %d: %v", d.InputOffset(), err)
		}
	}
}

type recoverer struct {
	values []string
	open   []*element
}

// element is an open element.
type element struct {
	attrs map[string]string
	fresh bool   // only instructions on attributes followed its start tag
	text  string // since the start tag, the last child element or the last instruction
}

// settle completes the text read in the innermost element.
func (r *recoverer) settle() {
	if len(r.open) == 0 {
		return
	}
	e := r.open[len(r.open)-1]
	for _, v := range e.attrs {
		r.values = append(r.values, v)
	}
	e.attrs, e.fresh = nil, false
	if e.text != "" {
		r.values = append(r.values, e.text)
	}
	e.text = ""
}

func (r *recoverer) token(token xml.Token) error {
	switch v := token.(type) {
	case xml.StartElement:
		r.settle()
		e := &element{attrs: map[string]string{}, fresh: true}
		for _, a := range v.Attr {
			name := a.Name.Local
			if a.Name.Space != "" {
				name = a.Name.Space + ":" + name
			}
			e.attrs[name] = a.Value
		}
		r.open = append(r.open, e)
	case xml.EndElement:
		r.settle()
		r.open = r.open[:len(r.open)-1]
	case xml.CharData:
		if len(r.open) > 0 {
			e := r.open[len(r.open)-1]
			e.fresh, e.text = false, e.text+string(v)
		}
	case xml.ProcInst:
		if v.Target == "quire-bytes" {
			return r.instruction(string(v.Inst))
		}
	}
	return nil
}

func (r *recoverer) instruction(inst string) error {
	kind, encoded, ok := strings.Cut(inst, " ")
	original, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(r.open) == 0 {
		return fmt.Errorf("instruction %.80q: %w", inst, err)
	}
	e := r.open[len(r.open)-1]
	if name, ok := strings.CutPrefix(kind, "@"); ok {
		value, there := e.attrs[name]
		if !e.fresh || !there || value != shown(original) {
			return fmt.Errorf("the instruction of attribute %s does not fit", name)
		}
		e.attrs[name] = string(original)
		return nil
	}
	before, fits := strings.CutSuffix(e.text, shown(original))
	if kind != "text" || !fits {
		return fmt.Errorf("the instruction %q does not fit the text before it", kind)
	}
	e.text = before + string(original)
	r.settle()
	return nil
}

// shown returns a value as a parser returns it: step 2 of docs/reference/350_xml-escaping.md.
func shown(value []byte) string {
	var b strings.Builder
	for len(value) > 0 {
		c, n := utf8.DecodeRune(value)
		switch {
		case c == utf8.RuneError && n == 1, c < 0x20 && c != '\t' && c != '\n' && c != '\r', c == 0xFFFE, c == 0xFFFF:
			c = 0xFFFD
		}
		b.WriteRune(c)
		value = value[n:]
	}
	return b.String()
}

// The recovery must not accept every text.
func TestRecovered(t *testing.T) {
	doc := `<a x="p�q"><?quire-bytes @x cABx?>caf�<?quire-bytes text Y2Fm6Q==?> tail<b/>]]&gt;</a>`
	got := fmt.Sprintf("%q", recovered(t, doc))
	if want := `["p\x00q" "caf\xe9" " tail" "]]>"]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, wrong := range []string{"@x cABx", "text Y2Fm6Q==", "other eA==", "text !", "text"} {
		r := recoverer{open: []*element{{attrs: map[string]string{"x": "z"}, fresh: true, text: "z"}}}
		if err := r.instruction(wrong); err == nil {
			t.Errorf("%s matches a wrong value", wrong)
		}
	}
}
