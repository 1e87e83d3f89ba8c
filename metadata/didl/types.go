package didl

import (
	"io"
	"time"

	"quire/metadata/xmlstream"
)

// The namespaces: of the second edition, of the first (for reading only), of identifiers, and of
// the document's creation time.
const (
	Namespace      = "urn:mpeg:mpeg21:2002:02-DIDL-NS"
	FirstEdition   = "urn:mpeg:mpeg21:2002:01-DIDL-NS"
	DIINamespace   = "urn:mpeg:mpeg21:2002:01-DII-NS"
	SchemaLocation = "http://standards.iso.org/ittf/PubliclyAvailableStandards/MPEG-21_schema_files/did/didl.xsd"
	DIILocation    = "http://standards.iso.org/ittf/PubliclyAvailableStandards/MPEG-21_schema_files/dii/dii.xsd"
	DCTerms        = "http://purl.org/dc/terms/"

	xsi = "http://www.w3.org/2001/XMLSchema-instance"
)

// XML is the media type of a statement that is one element.
const XML = "application/xml; charset=utf-8"

// Document is the DIDL element.
type Document struct {
	ID      string    // DIDLDocumentId, of the document and not of its content: a URI
	Created time.Time // dcterms:created in a DIDLInfo; zero if missing

	// for writing: further information on the document, a DIDLInfo each, which allows one element
	Info []Content

	Namespaces []Schema // for writing: used in statements, besides DIDL, DII and dcterms
	Space      string   // from reading: the namespace, which shows the edition
	Other      []xmlstream.Attribute
}

// Schema is a namespace with its prefix and the location of its XML schema, which may be "".
type Schema struct{ Prefix, Namespace, Location string }

// Block describes the content of a Statement or Resource.
type Block struct {
	MIMEType        string // required by the schema; "" if a document lacks it
	Ref             string // location of the content, if it is elsewhere; a URI
	Encoding        string // "base64", or none
	ContentEncoding []string
	Other           []xmlstream.Attribute // from reading: of other namespaces
}

// IsBase64 reports whether the content is bytes in Base64.
func (b *Block) IsBase64() bool { return b.Encoding == "base64" }

// Content writes the content of a statement or resource.
type Content interface {
	write(w *Writer)
	encoding() string
}

// Text returns character data as Content.
func Text(s string) Content { return text(s) }

// Element returns one element, written by write, as Content. DIDL allows only one.
func Element(write func(*xmlstream.Writer) error) Content { return element(write) }

// Base64 returns the bytes of src as Content. They are read during the writing. If they cannot be
// read to the end, the document cannot be completed.
func Base64(src io.Reader) Content { return bytesOf{src} }

// Nothing is the content of a reference.
var Nothing Content = text("")

type text string

func (t text) write(w *Writer)  { w.x.Text(string(t)) }
func (t text) encoding() string { return "" }

type element func(*xmlstream.Writer) error

func (e element) encoding() string { return "" }

func (e element) write(w *Writer) {
	if err := e(w.x); err != nil {
		w.x.Fail(err)
	}
}

type bytesOf struct{ io.Reader }

func (b bytesOf) encoding() string { return "base64" }

func (b bytesOf) write(w *Writer) {
	_, err := w.x.Base64(b.Reader)
	if err != nil {
		w.x.Fail(err)
	}
}
