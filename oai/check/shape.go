package check

import (
	"bytes"
	"io"
	"strings"

	"quire/metadata/xmlstream"
	"quire/oai/protocol"
)

// shape is the form of an answer as a document, read strictly from its first byte to its last.
// Package client, which reads the content, tolerates errors.
type shape struct {
	located     bool // schemaLocation is in the form that validators expect
	tokens      int  // elements resumptionToken
	units       int  // other children of the verb's element
	identifiers []oaiIdentifier
}

// oaiIdentifier describes the form of identifiers.
type oaiIdentifier struct{ space, scheme, repository, delimiter, sample string }

const (
	schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"
	identifierNS   = "http://www.openarchives.org/OAI/2.0/oai-identifier"
)

// shapeOf reads a document. The error has the position where the document is not well-formed.
func shapeOf(doc io.Reader) (*shape, error) {
	s := &shape{}
	first := &prefixOf{}
	x := xmlstream.NewReader(io.TeeReader(doc, first), xmlstream.Limits{Token: 256 << 20})
	root, err := x.Root()
	if err != nil {
		return nil, err
	}
	pairs := strings.Fields(root.AttrNS(schemaInstance, "schemaLocation"))
	s.located = len(pairs) >= 2 && pairs[0] == protocol.Namespace && pairs[1] == protocol.SchemaLocation &&
		bytes.Contains(first.b, []byte("xsi:schemaLocation"))
	err = x.Each(func(e xmlstream.Element) error {
		if !strings.HasPrefix(e.Local, "List") && e.Local != string(protocol.Identify) {
			return nil
		}
		return x.Each(func(e xmlstream.Element) error { return s.child(x, e) })
	})
	if err == nil {
		err = x.Finish()
	}
	return s, err
}

// child reads a child of the verb's element.
func (s *shape) child(x *xmlstream.Reader, e xmlstream.Element) error {
	switch e.Local {
	case "resumptionToken":
		s.tokens++
	case "description":
		return x.Each(func(e xmlstream.Element) error {
			if e.Local == "oai-identifier" {
				return s.identifier(x, e.Space)
			}
			return nil
		})
	default:
		s.units++
	}
	return nil
}

func (s *shape) identifier(x *xmlstream.Reader, space string) error {
	id := oaiIdentifier{space: space}
	err := x.Each(func(e xmlstream.Element) error {
		switch e.Local {
		case "scheme":
			return x.TextTo(&id.scheme)
		case "repositoryIdentifier":
			return x.TextTo(&id.repository)
		case "delimiter":
			return x.TextTo(&id.delimiter)
		case "sampleIdentifier":
			return x.TextTo(&id.sample)
		}
		return nil
	})
	s.identifiers = append(s.identifiers, id)
	return err
}

// prefixOf keeps the first bytes written to it.
type prefixOf struct{ b []byte }

func (p *prefixOf) Write(b []byte) (int, error) {
	const most = 8 << 10
	p.b = append(p.b, b[:min(len(b), most-len(p.b))]...)
	return len(b), nil
}
