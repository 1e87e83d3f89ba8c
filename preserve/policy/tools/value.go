package tools

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/format/charset"
)

// Value is the output of a tool: a string, int64, float64, bool or nil; a []Value; a
// map[string]Value; or an Unseen. A text that is printed is a string. JSON is its own values. XML
// is a map with one key, the root element:
//
//   - an element without attributes and child elements is its text, without surrounding blanks;
//   - another element is a map: its attributes and its child elements by their local names, and its
//     text, if it has one, as #text. An attribute with the name of a child element is left out;
//   - child elements with the same name are a list. So are those named in Tool.Lists, even if there
//     is only one.
type Value any

// Unseen is a value that is too large for expressions. It says why.
type Unseen string

// Limits of a Value. A value beyond one of the first three is Unseen. More values are an error.
const (
	MaxText    = 4 << 10  // bytes of a text in XML or JSON
	MaxPrinted = 64 << 10 // bytes of an output that is text
	MaxList    = 1000     // items of a list
	maxValues  = 100_000  // in one output
	maxDepth   = 200      // of elements, lists and objects
)

// parse returns the value of an output of a media type.
func parse(prints string, output []byte, lists map[string]bool) (Value, error) {
	p := &parser{lists: lists}
	kind := strings.ToLower(prints)
	switch {
	case kind == "application/json", strings.HasSuffix(kind, "+json"):
		return p.json(output)
	case kind == "text/xml", kind == "application/xml", strings.HasSuffix(kind, "+xml"):
		return p.xml(output)
	}
	if len(output) > MaxPrinted {
		return Unseen(fmt.Sprintf("the tool printed more than %d bytes of text", MaxPrinted)), nil
	}
	return strings.ToValidUTF8(string(output), "\uFFFD"), nil
}

// IsText reports whether an output of this media type is one text.
func IsText(prints string) bool {
	v, _ := parse(prints, nil, nil) // no bytes are a text, but neither XML nor JSON
	_, text := v.(string)
	return text
}

type parser struct {
	lists  map[string]bool
	values int
}

// count bounds the memory of a value.
func (p *parser) count(depth int) error {
	p.values++
	switch {
	case p.values > maxValues:
		return fmt.Errorf("it has more than %d values", maxValues)
	case depth > maxDepth:
		return fmt.Errorf("it is nested more than %d deep", maxDepth)
	}
	return nil
}

func text(s string) Value {
	if len(s) > MaxText {
		return Unseen(fmt.Sprintf("a text of more than %d bytes", MaxText))
	}
	return strings.ToValidUTF8(strings.Clone(s), "\uFFFD")
}

func list(all []Value) Value {
	if len(all) > MaxList {
		return Unseen(fmt.Sprintf("a list of more than %d values", MaxList))
	}
	return all
}

func (p *parser) json(output []byte) (Value, error) {
	d := json.NewDecoder(bytes.NewReader(output))
	d.UseNumber()
	v, err := p.jsonValue(d, 0)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the first value")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("its output is not usable JSON: %w", err)
	}
	return v, nil
}

func (p *parser) jsonValue(d *json.Decoder, depth int) (Value, error) {
	if err := p.count(depth); err != nil {
		return nil, err
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case string:
		return text(t), nil
	case json.Number:
		if n, err := t.Int64(); err == nil {
			return n, nil
		}
		return t.Float64()
	case json.Delim:
		if t == '[' {
			return p.jsonList(d, depth)
		}
		return p.jsonObject(d, depth)
	}
	return t, nil // bool, nil
}

func (p *parser) jsonList(d *json.Decoder, depth int) (Value, error) {
	all := []Value{}
	for d.More() {
		v, err := p.jsonValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	_, err := d.Token()
	return list(all), err
}

func (p *parser) jsonObject(d *json.Decoder, depth int) (Value, error) {
	all := map[string]Value{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := key.(string)
		if _, twice := all[name]; twice {
			return nil, fmt.Errorf("the name %.60q occurs twice in an object", name)
		}
		v, err := p.jsonValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		all[name] = v
	}
	_, err := d.Token()
	return all, err
}

func (p *parser) xml(output []byte) (Value, error) {
	d := xml.NewDecoder(bytes.NewReader(output))
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		name := charset.Resolve(label)
		all, err := io.ReadAll(in) // at most the output, which is in memory
		if err == nil {
			all, err = charset.Decode(all, name)
		}
		return bytes.NewReader(all), err
	}
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			err = errors.New("it has no element")
		}
		if err != nil {
			return nil, fmt.Errorf("its output is not usable XML: %w", err)
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		v, err := p.element(d, start, 0)
		if err == nil {
			err = nothing(d)
		}
		if err != nil {
			return nil, fmt.Errorf("its output is not usable XML: %w", err)
		}
		return map[string]Value{start.Name.Local: v}, nil
	}
}

// nothing returns an error if something follows the root element.
func nothing(d *xml.Decoder) error {
	for {
		t, err := d.Token()
		switch t := t.(type) {
		case nil:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return errors.New("text follows the root element")
			}
		case xml.StartElement, xml.EndElement:
			return errors.New("an element follows the root element")
		}
	}
}

// element reads an element to its end.
func (p *parser) element(d *xml.Decoder, start xml.StartElement, depth int) (Value, error) {
	if err := p.count(depth); err != nil {
		return nil, err
	}
	children := map[string][]Value{}
	var said strings.Builder
	for {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.CharData:
			said.Write(t)
		case xml.StartElement:
			v, err := p.element(d, t, depth+1)
			if err != nil {
				return nil, err
			}
			children[t.Name.Local] = append(children[t.Name.Local], v)
		case xml.EndElement:
			return p.ended(start, children, text(strings.TrimSpace(said.String())))
		}
	}
}

// textKey is the key of the text of an element that has attributes or child elements.
const textKey = "#text"

func (p *parser) ended(start xml.StartElement, children map[string][]Value, said Value) (Value, error) {
	all := map[string]Value{}
	for _, a := range start.Attr {
		if a.Name.Space == "xmlns" || a.Name.Local == "xmlns" {
			continue
		}
		if err := p.count(0); err != nil {
			return nil, err
		}
		all[a.Name.Local] = text(a.Value)
	}
	for name, values := range children {
		if all[name] = values[0]; len(values) > 1 || p.lists[name] {
			all[name] = list(values)
		}
	}
	if len(all) == 0 {
		return said, nil
	}
	if said != "" {
		all[textKey] = said
	}
	return all, nil
}
