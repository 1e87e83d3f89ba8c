package client

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"quire/metadata/xmlstream"
	"quire/model"
	"quire/oai/protocol"
)

// Record is one record of an answer, or one header of a list of headers. It is valid until the next
// one.
type Record struct {
	protocol.Header
	DatestampText string // as written

	// Refused is the reason why the record is unreadable, or "". Raw returns its bytes; the
	// readable part of its header is set.
	Refused string

	answer   *Answer
	scope    scope
	place    span
	metadata element
	about    []element
}

// element is an element in metadata or about.
type element struct {
	span
	tag   []byte // its start tag
	scope scope  // declarations of the elements around it
}

// Offset returns the position of the record in the answer, in bytes.
func (r *Record) Offset() int64 { return r.place.start }

// Size returns the size of the record in the answer, in bytes.
func (r *Record) Size() int64 { return r.place.size() }

// Raw returns the original bytes of the record.
func (r *Record) Raw() io.Reader { return r.answer.section(r.place) }

// HasMetadata reports whether metadata contains an element.
func (r *Record) HasMetadata() bool { return !r.metadata.isEmpty() }

// Root returns the name of the element in metadata without its prefix, or "".
func (r *Record) Root() string {
	if !r.HasMetadata() {
		return ""
	}
	return local(string(r.metadata.tag[1 : 1+nameLen(r.metadata.tag[1:])]))
}

// MetadataSize returns the approximate size of Metadata in bytes.
func (r *Record) MetadataSize() int64 { return r.metadata.size() }

// Metadata returns the element in metadata as received: XML without prolog. Its start tag gets the
// namespace declarations of the elements around it, unless it declares the same prefixes. Nothing
// else changes.
func (r *Record) Metadata() io.Reader { return r.standalone(r.metadata) }

// Abouts returns the number of elements in about (clause 2.5).
func (r *Record) Abouts() int { return len(r.about) }

// About returns one of them, from 0, in the form of Metadata.
func (r *Record) About(i int) io.Reader { return r.standalone(r.about[i]) }

// standalone returns an element as a separate document.
func (r *Record) standalone(e element) io.Reader {
	added := e.scope.missing(e.tag)
	if len(added) == 0 {
		return r.answer.section(e.span)
	}
	n := int64(1 + nameLen(e.tag[1:]))
	return io.MultiReader(bytes.NewReader(e.tag[:n]), bytes.NewReader(added),
		r.answer.section(span{e.start + n, e.end}))
}

// Errors in the structure of a record.
var (
	errNoHeader     = errors.New("the record has no header")
	errNoIdentifier = errors.New("the header has no identifier")
	errTwoRoots     = errors.New("the metadata have more than one element")
)

// take reads the parts of a record.
func (r *Record) take(parts []part, limits xmlstream.Limits) error {
	header := -1
	for i := range parts {
		p := &parts[i]
		switch p.name {
		case "header":
			if header < 0 {
				header = i
			}
		case "metadata":
			r.metadata = element{p.inner, p.tag, r.scope.with(p.own)}
			if p.children > 1 {
				return errTwoRoots
			}
		case "about":
			if p.children > 0 {
				r.about = append(r.about, element{p.inner, p.tag, r.scope.with(p.own)})
			}
		}
	}
	if header < 0 {
		return errNoHeader
	}
	return r.takeHeader(parts[header].span, limits)
}

// takeHeader reads a header (clause 2.5).
func (r *Record) takeHeader(s span, limits xmlstream.Limits) error {
	x := xmlstream.NewReader(r.answer.wrapped(r.scope, s), limits)
	if _, err := x.Root(); err != nil {
		return err
	}
	err := x.Each(func(e xmlstream.Element) error {
		r.Deleted = e.Attr("status") == "deleted"
		return x.Each(func(e xmlstream.Element) error {
			text, err := x.Text()
			text = trim(text)
			switch e.Local {
			case "identifier":
				r.Identifier = text
			case "datestamp":
				r.DatestampText = text
			case "setSpec":
				if len(r.Sets) < maxParts {
					r.Sets = append(r.Sets, text)
				}
			}
			return err
		})
	})
	if err == nil {
		err = x.Finish()
	}
	if err != nil {
		return err
	}
	if r.Identifier == "" {
		return errNoIdentifier
	}
	return r.date()
}

// date reads the datestamp.
func (r *Record) date() error {
	t, strict, ok := readDate(r.DatestampText)
	switch {
	case !ok && r.DatestampText == "":
		r.addFinding(CodeDate, model.Warning, "the header has no datestamp")
	case !ok:
		r.addFinding(CodeDate, model.Warning, fmt.Sprintf("the datestamp %.60q is not a date", r.DatestampText))
	case !strict:
		r.addFinding(CodeDate, model.Info,
			fmt.Sprintf("the datestamp %.60q is not in the protocol's form; it is read as %s",
				r.DatestampText, t.Format("2006-01-02T15:04:05Z")))
	}
	r.Datestamp = t
	return nil
}

func (r *Record) addFinding(code string, severity model.Severity, message string) {
	r.answer.tell.find(code, severity, r.place.start, r.Identifier, message)
}

// WellFormed reads metadata and about to their ends, and returns the first XML error.
func (r *Record) WellFormed() error {
	limits := r.answer.limits
	check := func(what string, e element) error {
		x := xmlstream.NewReader(r.answer.wrapped(e.scope, e.span), limits)
		_, err := x.Root()
		if err == nil {
			err = x.Finish()
		}
		if err != nil {
			return fmt.Errorf("the %s: %w", what, err)
		}
		return nil
	}
	if r.HasMetadata() {
		if err := check("metadata", r.metadata); err != nil {
			return err
		}
	}
	for _, a := range r.about {
		if err := check("about", a); err != nil {
			return err
		}
	}
	return nil
}
