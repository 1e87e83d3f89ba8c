package didl

import (
	"io"
	"time"

	"quire/metadata/xmlstream"
)

// The namespaces: of the second edition, of the first, which is read as well, of identifiers, and
// of the one fact about the document.
const (
	Namespace      = "urn:mpeg:mpeg21:2002:02-DIDL-NS"
	FirstEdition   = "urn:mpeg:mpeg21:2002:01-DIDL-NS"
	DIINamespace   = "urn:mpeg:mpeg21:2002:01-DII-NS"
	SchemaLocation = "http://standards.iso.org/ittf/PubliclyAvailableStandards/MPEG-21_schema_files/did/didl.xsd"
	DIILocation    = "http://standards.iso.org/ittf/PubliclyAvailableStandards/MPEG-21_schema_files/dii/dii.xsd"
	DCTerms        = "http://purl.org/dc/terms/"

	xsi = "http://www.w3.org/2001/XMLSchema-instance"
)

// XML is the media type of statements that are one element.
const XML = "application/xml; charset=utf-8"

// Document is the DIDL element.
type Document struct {
	ID      string    // DIDLDocumentId, of the document and not of what it declares: a URI
	Created time.Time // dcterms:created in a DIDLInfo; zero when the document does not say

	Namespaces []Schema // written: those that statements use, beside DIDL, DII and dcterms
	Space      string   // read: the namespace, which tells the edition
	Other      []xmlstream.Attribute
}

// Schema is a namespace with its prefix and the place of its XML schema, which may be "".
type Schema struct{ Prefix, Namespace, Location string }

// Block is what Statement and Resource say of their content.
type Block struct {
	MIMEType        string // required by the schema; "" when read of a document without it
	Ref             string // where the content is had instead; a URI
	Encoding        string // "base64", or none
	ContentEncoding []string
	Other           []xmlstream.Attribute // read: of other namespaces
}

// IsBase64 says whether the content is bytes in Base64.
func (b *Block) IsBase64() bool { return b.Encoding == "base64" }

// Content writes what a statement or resource holds.
type Content interface {
	write(w *Writer)
	encoding() string
}

// Text is character data.
func Text(s string) Content { return text(s) }

// Element is one element, which write writes. DIDL allows no second one beside it.
func Element(write func(*xmlstream.Writer) error) Content { return element(write) }

// Base64 is bytes, which are read when they are written. When they cannot be read to the end, the
// document cannot be ended.
func Base64(src io.Reader) Content { return bytesOf{src} }

// Nothing is the content of what is only referred to.
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
