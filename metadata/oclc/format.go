package oclc

import (
	"errors"
	"fmt"
	"io"
)

// Format is a serialization.
type Format string

// The serializations, by the names that --as takes.
const (
	JSON   Format = "json"
	Fields Format = "warc-fields" // ISO 28500:2017, Annex B: what WARC asks of the block of a metadata record
	XML    Format = "xml"
	YAML   Format = "yaml"
)

// Formats lists them.
var Formats = []Format{JSON, Fields, XML, YAML}

// MediaType is what a record that carries the form has as its Content-Type.
func (f Format) MediaType() string {
	if f == Fields {
		return "application/warc-fields"
	}
	return "application/" + string(f) // RFC 8259; RFC 7303; RFC 9512
}

// Namespace is what the JSON and YAML forms name in their first line, and that of the XML form.
const Namespace = "urn:x-quire:oclc-web-archiving:1"

// InfoOfDescriptions is the description in the warcinfo of a container that holds nothing but
// descriptions. It is what such a container is known by: no crawler wrote it, and it is no harvest.
const InfoOfDescriptions = "descriptions of websites, as curators wrote them in a spreadsheet; each refers to the " +
	"record of the website"

// MaxBytes is how long a document may be that is read. A description is read into memory whole.
const MaxBytes = 16 << 20

// ErrTooLong is told of a document with more than MaxBytes.
var ErrTooLong = errors.New("oclc: the description is longer than 16 MiB")

// Write writes a record. Nothing is written of one that cannot be.
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
	return fmt.Errorf("oclc: no serialization is called %.40q", f)
}

// Read reads a record. What was not written by Write is an error, so that nothing is passed over.
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
	return nil, fmt.Errorf("oclc: no serialization is called %.40q", f)
}
