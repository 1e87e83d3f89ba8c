package oclc

import (
	"errors"
	"fmt"
	"io"
)

// Format is a serialization.
type Format string

// The serializations, by their names in --as.
const (
	JSON   Format = "json"
	Fields Format = "warc-fields" // ISO 28500:2017, Annex B: the form for the block of a metadata record
	XML    Format = "xml"
	YAML   Format = "yaml"
)

// Formats lists the serializations.
var Formats = []Format{JSON, Fields, XML, YAML}

// MediaType returns the Content-Type of a record in this form.
func (f Format) MediaType() string {
	if f == Fields {
		return "application/warc-fields"
	}
	return "application/" + string(f) // RFC 8259; RFC 7303; RFC 9512
}

// Namespace is in the first line of the JSON and YAML forms, and is the namespace of the XML form.
const Namespace = "urn:x-quire:oclc-web-archiving:1"

// InfoOfDescriptions is the description in the warcinfo of a container that holds only
// descriptions. It identifies such a container. No crawler wrote the container, and it does not
// belong to a harvest.
const InfoOfDescriptions = "descriptions of websites, as curators wrote them in a spreadsheet; each refers to the " +
	"record of the website"

// MaxBytes is the largest document that is read. A description is read into memory as a whole.
const MaxBytes = 16 << 20

// ErrTooLong means that a document has more than MaxBytes.
var ErrTooLong = errors.New("oclc: the description is longer than 16 MiB")

// Write writes a record. If the record is invalid, it writes nothing.
func Write(out io.Writer, f Format, r Record) error {
	if err := r.Check(); err != nil {
		return err
	}
	switch f {
	case JSON:
		return writeJSON(out, r)
	case Fields:
		return writeFields(out, r)
	case XML:
		return writeXML(out, r)
	case YAML:
		return writeYAML(out, r)
	}
	return fmt.Errorf("oclc: unknown serialization %.40q", f)
}

// Read reads a record. Content that Write does not produce is an error, so nothing is lost
// silently.
func Read(in io.Reader, f Format) (Record, error) {
	r, err := read(in, f)
	if err != nil {
		return nil, err
	}
	return r, r.Check()
}

func read(in io.Reader, f Format) (Record, error) {
	if f == XML {
		return readXML(in)
	}
	doc, err := io.ReadAll(io.LimitReader(in, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(doc) > MaxBytes {
		return nil, ErrTooLong
	}
	switch f {
	case JSON:
		return readJSON(doc)
	case Fields:
		return readFields(doc)
	case YAML:
		return readYAML(doc)
	}
	return nil, fmt.Errorf("oclc: unknown serialization %.40q", f)
}
