package crate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/metadata/didl"
	"quire/metadata/xmlstream"
)

// resource reads a Resource and passes its bytes to the writer from Bytes.
func (r *reading) resource(b didl.Block, at didl.Place, x *xmlstream.Reader) error {
	if at.Described() {
		return r.describing(b, at)
	}
	res := Resource{Component: r.components, Identifier: r.nearest(at), MIMEType: b.MIMEType, Coding: b.ContentEncoding,
		Ref: b.Ref, Name: r.name, Modified: r.modified,
		Stated: r.stated, Found: Fixity{Size: -1}}
	if b.Encoding != "" && !b.IsBase64() {
		res.Problem = fmt.Sprintf("unknown encoding %.40q", b.Encoding)
	}
	res.ByValue = b.IsBase64() || b.Ref == "" && b.Encoding == ""
	res.XML = !b.IsBase64() && res.ByValue
	if res.ByValue {
		if err := r.value(&res, x); err != nil {
			return err
		}
	}
	r.doc.Resources = append(r.doc.Resources, res)
	return nil
}

// value reads the bytes of a resource and compares them with the stated fixity.
func (r *reading) value(res *Resource, x *xmlstream.Reader) error {
	if r.o.Bytes == nil {
		return nil
	}
	out, err := r.o.Bytes(r.doc, res)
	if err != nil || out == nil {
		return err
	}
	s := newSum(out, res.Stated.SHA512 != "")
	if res.XML {
		err = r.markup(s)
	} else {
		_, err = x.CopyBase64(s)
	}
	if errors.Is(err, xmlstream.ErrBase64) {
		res.Problem, err = err.Error(), nil
	}
	res.Found = s.fixity()
	if res.Problem == "" && !res.XML {
		res.Problem = res.Stated.differs(res.Found)
	}
	coding := strings.Join(res.Coding, " ")
	if twin, ok := r.twins[coding]; !ok {
		r.twins[coding] = res.Found
	} else if differ := twin.differs(res.Found); res.Problem == "" && differ != "" {
		res.Problem = "its bits differ from another resource of its component: " + differ
	}
	return err
}

// markup writes the content of a Resource: text alone unchanged, or elements. It escapes text
// before, between and after elements as in XML, and drops it if it is only white space.
func (r *reading) markup(out io.Writer) error {
	var text []byte
	elements := 0
	err := r.Mixed(func(s string) error {
		text = append(text, s...)
		return nil
	}, func(xmlstream.Element) error {
		elements++
		if err := besideElement(out, text); err != nil {
			return err
		}
		text = nil
		var element bytes.Buffer
		if err := r.copyTo(&element); err != nil {
			return err
		}
		_, err := out.Write(element.Bytes())
		return err
	})
	switch {
	case err != nil:
		return err
	case elements > 0:
		return besideElement(out, text)
	}
	_, err = out.Write(text)
	return err
}

// besideElement writes text that stands beside an element, escaped, unless it is white space.
func besideElement(out io.Writer, text []byte) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	escaped, _ := xmlstream.AppendText(nil, string(text))
	_, err := out.Write(escaped)
	return err
}

// describing keeps a resource that describes another one, as a statement.
func (r *reading) describing(b didl.Block, at didl.Place) error {
	s := Statement{Place: at.String(), MIMEType: b.MIMEType, Ref: b.Ref}
	var content bytes.Buffer
	if err := r.copyTo(&content); err != nil {
		return err
	}
	s.Content = content.String()
	r.doc.Statements = append(r.doc.Statements, s)
	return nil
}

// nearest returns the identifier of the component, or of the item around it, except the outermost.
func (r *reading) nearest(at didl.Place) string {
	for i := len(at) - 1; i > 0; i-- {
		if id := r.identifiers[at[i].N]; id != "" {
			return id
		}
	}
	return ""
}
