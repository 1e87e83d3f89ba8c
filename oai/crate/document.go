package crate

import (
	"time"

	"quire/oai/plugin"
	"quire/oai/resource"
)

// The namespaces of what is ours in a CRATE; package schemas has their XML schemas.
const (
	Namespace     = "urn:x-quire:crate:1"
	HeadNamespace = "urn:x-quire:http-header:1"
)

// Document is what a CRATE, or another DIDL, says beside the bytes.
type Document struct {
	ID         string    // of the document, which is not that of the resource
	Created    time.Time // of the document; zero when it does not say
	Identifier string    // of what it declares: the first dii:Identifier of its outermost item; "" when there is none
	Head       *Head     // the HTTP head; nil when there is none
	Results    []plugin.Result
	Notices    []Notice // what the maker of the CRATE could not do, or found
	Resources  []Resource
	Statements []Statement // what else it says, in its order
	Problems   []string    // what is wrong in the document, with its place
}

// Head is the head of an HTTP answer, its fields in their order.
type Head struct {
	Proto  string // "HTTP/1.1"; "" when it is not known
	Status int    // 200; 0 when it is not known
	Fields []resource.Field
}

// Resource is one didl:Resource. Those of one component are the same bits, by the standard.
type Resource struct {
	Component  int    // counts the components of the document, from 1
	Identifier string // of its component, or of the item around that when it is an inner one; "" when these have none
	MIMEType   string
	Coding     []string // content codings that are on the bytes
	Ref        string   // where the bytes are had; "" when they stand in the document alone
	ByValue    bool     // they stand in the document: as Base64, as text, or as XML
	XML        bool     // as XML or text: what was handed out is that, in UTF-8
	Stated     Fixity   // what the document says of the bytes
	Found      Fixity   // what was read, when ByValue and it was wanted
	Problem    string   // what is wrong with the bytes: they are not those that were meant; "" when nothing was found
}

// Fixity is size and digests of bytes.
type Fixity struct {
	Size   int64  // -1 when it is not known
	SHA256 string // hexadecimal, lower case; "" when it is not known
	SHA512 string
}

// Code says what a notice is about.
type Code string

// The codes.
const (
	Withheld    Code = "withheld"     // bytes, and what tools say of them, are not handed out
	Unreadable  Code = "unreadable"   // the bytes could not be had, or not to their end
	Differs     Code = "differs"      // the bytes are not those that the head tells of
	ByReference Code = "by reference" // the bytes are too many to stand in a document
	NoTools     Code = "no tools"     // tools did not look at the bytes, or not all of them

	UnnamedCoding Code = "unnamed coding" // a content coding is on the bytes that has no name in DIDL
)

// Notice is something that whoever reads a CRATE must know.
type Notice struct {
	Code Code
	Text string
}

// Statement is what a document says beyond what is known here.
type Statement struct {
	Place    string // the elements that it stands in: "Item Component Descriptor"
	MIMEType string
	Ref      string // where it is had, when it is not Content
	Content  string // as XML with its namespaces declared, or text
}
