package crate

import (
	"time"

	"quire/oai/plugin"
	"quire/oai/resource"
)

// The namespaces of Quire's own elements in a CRATE. Package schemas has their XML schemas.
const (
	Namespace     = "urn:x-quire:crate:1"
	HeadNamespace = "urn:x-quire:http-header:1"
)

// Document is the content of a CRATE, or of another DIDL, except the bytes.
type Document struct {
	ID         string     // of the document, not of the resource
	Created    time.Time  // of the document; zero if not stated
	Generator  *Generator // of the document; nil if not stated
	Identifier string     // first dii:Identifier of the outermost item; "" if there is none
	Head       *Head      // the HTTP head; may be nil
	Results    []plugin.Result
	Sources    []resource.Source // output of tools that earlier holders of the resource ran
	Notices    []Notice          // the CRATE maker's notices on failures
	Resources  []Resource
	Statements []Statement // other statements, in order
	Problems   []string    // errors in the document, with their positions
}

// Head is the head of an HTTP response, with its fields in order.
type Head struct {
	Proto  string // "HTTP/1.1"; "" if unknown
	Status int    // 200; 0 if unknown
	Fields []resource.Field
}

// Resource is one didl:Resource. By the standard, all resources of one component are the same bits.
type Resource struct {
	Component  int    // number of its component in the document, from 1
	Identifier string // of its component, or of the inner item around that; "" if these have none
	MIMEType   string
	Coding     []string  // content codings of the bytes
	Name       string    // file name of the resource, as its server stated it; may be ""
	Modified   time.Time // as its server stated it; zero if it did not
	Ref        string    // URL of the bytes; "" if they are only in the document
	ByValue    bool      // the document contains them, as Base64, text or XML
	XML        bool      // as XML or text: the served bytes are that, in UTF-8
	Stated     Fixity    // stated by the document
	Found      Fixity    // as read, if ByValue and requested
	Problem    string    // if the bytes are not the intended bytes, the error in them; otherwise ""
}

// Fixity is the size and the digests of bytes.
type Fixity struct {
	Size   int64  // -1 if unknown
	SHA256 string // hexadecimal, lower case; "" if unknown
	SHA512 string
}

// Code is the kind of a notice.
type Code string

// The codes.
const (
	Withheld    Code = "withheld"     // the bytes and the tools' output are not served
	Unreadable  Code = "unreadable"   // the bytes are unreadable, or incomplete
	Differs     Code = "differs"      // the bytes differ from the head's statement
	ByReference Code = "by reference" // the bytes are too large for a document
	NoTools     Code = "no tools"     // tools did not read the bytes, or not all of them

	NoSource      Code = "no source"      // output of tools that came with the resource is unreadable
	UnnamedCoding Code = "unnamed coding" // the bytes have a content coding without a name in DIDL
)

// Notice is a message to the reader of a CRATE.
type Notice struct {
	Code Code
	Text string
}

// Statement is a statement of a document that this package does not interpret.
type Statement struct {
	Place    string // the elements around it: "Item Component Descriptor"
	MIMEType string
	Ref      string // its URL, if it is not in Content
	Content  string // as XML with namespace declarations, or text
}
