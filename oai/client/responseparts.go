package client

import (
	"fmt"
	"slices"
	"strings"

	"quire/metadata/xmlstream"
	"quire/model"
	"quire/oai/protocol"
)

// maxErrors is the maximum number of errors kept from one answer.
const maxErrors = 100

func trim(s string) string { return strings.Trim(s, " \t\r\n") }

// with reads one element found by the scanner.
func (r *reading) with(s span, read func(*xmlstream.Reader, xmlstream.Element) error) error {
	x := xmlstream.NewReader(r.wrapped(r.scope, s), r.limits)
	if _, err := x.Root(); err != nil {
		return err
	}
	if err := x.Each(func(e xmlstream.Element) error { return read(x, e) }); err != nil {
		return err
	}
	return x.Finish()
}

// small reads the elements other than lists.
func (r *reading) small(name string, s span) error {
	p := r.response
	return r.with(s, func(x *xmlstream.Reader, e xmlstream.Element) (err error) {
		switch name {
		case "responseDate":
			p.DateText, err = x.Text()
			if err == nil {
				r.date(s.start)
			}
		case "request":
			p.Request.Args = slices.Clone(e.Attrs)
			p.Request.BaseURL, err = x.Text()
		case "error":
			var text string
			if text, err = x.Text(); err == nil && len(p.Errors) < maxErrors {
				p.Errors = append(p.Errors, Error{Code: protocol.Code(e.Attr("code")), Text: trim(text)})
			}
		case "Identify":
			p.Verb = name
			p.Identify, err = r.identify(x, s.start)
		default:
			r.tell.find(CodeEnvelope, model.Warning, s.start, "", fmt.Sprintf("the protocol has no <%.60s> "+
				"here", name))
			err = x.Skip()
		}
		return err
	})
}

// date reads the responseDate.
func (r *reading) date(at int64) {
	p := r.response
	p.DateText = trim(p.DateText)
	t, strict, ok := readDate(p.DateText)
	p.Date = t
	if !ok || !strict || len(p.DateText) == len("2006-01-02") {
		r.tell.find(CodeDate, model.Warning, at, "",
			fmt.Sprintf("the responseDate %.60q is not in the protocol's form", p.DateText))
	}
}

// identify reads the element Identify.
func (r *reading) identify(x *xmlstream.Reader, at int64) (*Identify, error) {
	id := &Identify{}
	err := x.Each(func(e xmlstream.Element) error {
		if e.Local == "description" {
			id.Descriptions++
			return nil
		}
		text, err := x.Text()
		text = trim(text)
		switch e.Local {
		case "repositoryName":
			id.Name = text
		case "baseURL":
			id.BaseURL = text
		case "protocolVersion":
			id.ProtocolVersion = text
		case "adminEmail":
			if len(id.AdminEmails) < maxErrors {
				id.AdminEmails = append(id.AdminEmails, text)
			}
		case "earliestDatestamp":
			id.EarliestText = text
		case "deletedRecord":
			id.DeletedRecord = text
		case "granularity":
			id.Granularity = text
		case "compression":
			if len(id.Compressions) < maxErrors {
				id.Compressions = append(id.Compressions, text)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	t, strict, ok := readDate(id.EarliestText)
	if !ok || !strict {
		r.tell.find(CodeDate, model.Warning, at, "",
			fmt.Sprintf("the earliestDatestamp %.60q is not in the protocol's form", id.EarliestText))
	}
	id.Earliest = t
	return id, nil
}

// token reads a resumptionToken.
func (r *reading) token(s span) error {
	return r.with(s, func(x *xmlstream.Reader, e xmlstream.Element) error {
		text, err := x.Text()
		if err != nil {
			return err
		}
		t := &Token{Value: trim(text)}
		t.Expires, _, _ = readDate(e.Attr("expirationDate"))
		for _, n := range []struct {
			name string
			to   *xmlstream.Int
		}{{"cursor", &t.Cursor}, {"completeListSize", &t.CompleteListSize}} {
			if *n.to, err = xmlstream.ParseInt(trim(e.Attr(n.name))); err != nil {
				r.tell.find(CodeToken, model.Info, s.start, "",
					fmt.Sprintf("the %s of the resumptionToken: %v", n.name, err))
			}
		}
		if r.response.Token != nil && r.response.Token.Value != t.Value {
			r.tell.find(CodeToken, model.Warning, s.start, "",
				"the answer has two resumptionTokens; the last one is used")
		}
		r.response.Token = t
		return nil
	})
}

// format reads a metadataFormat.
func (r *reading) format(s span) error {
	return r.with(s, func(x *xmlstream.Reader, _ xmlstream.Element) error {
		var f protocol.Format
		err := x.Each(func(e xmlstream.Element) error {
			text, err := x.Text()
			switch e.Local {
			case "metadataPrefix":
				f.Prefix = trim(text)
			case "schema":
				f.Schema = trim(text)
			case "metadataNamespace":
				f.Namespace = trim(text)
			}
			return err
		})
		if err == nil && len(r.response.Formats) < maxParts {
			r.response.Formats = append(r.response.Formats, f)
		}
		return err
	})
}

// set reads a set.
func (r *reading) set(s span) error {
	if r.visit.Set == nil {
		return nil
	}
	var spec, name string
	err := r.with(s, func(x *xmlstream.Reader, _ xmlstream.Element) error {
		return x.Each(func(e xmlstream.Element) (err error) {
			switch e.Local {
			case "setSpec":
				spec, err = x.Text()
			case "setName":
				name, err = x.Text()
			}
			return err
		})
	})
	if err != nil {
		return err
	}
	return visited(r.visit.Set(trim(spec), trim(name)))
}
