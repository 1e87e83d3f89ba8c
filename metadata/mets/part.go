package mets

import (
	"io"

	"quire/metadata/xmlstream"
)

// Parent is the element of an existing document into which a part is inserted.
type Parent kind

// The parents.
const (
	InMets    Parent = Parent(kMets)    // an amdSec, for example
	InAmdSec  Parent = Parent(kAmdSec)  // a section, such as a digiprovMD
	InFileSec Parent = Parent(kFileSec) // a group of files
	InFileGrp Parent = Parent(kFileGrp) // a file
	InDiv     Parent = Parent(kDiv)     // a division
)

// NewPart returns a Writer of one element and its content, for insertion into an existing document.
// It declares the namespaces itself, so the document's prefixes do not matter. It does not use
// Start and Header. The caller must ensure that the element is allowed at its place.
func NewPart(out io.Writer, in Parent, spaces []NamespaceDecl, opt Options) *Writer {
	// as this package writes them
	depth := map[Parent]int{InMets: 1, InAmdSec: 2, InFileSec: 2, InFileGrp: 3, InDiv: 3}[in]
	w := &Writer{part: true, open: []level{newLevel(kind(in))}}
	w.x = xmlstream.NewWriter(out, xmlstream.Options{Indent: !opt.Compact, Fragment: true, Depth: depth})
	w.x.Declare("mets", Namespace)
	w.x.Declare("xlink", XLinkNamespace)
	w.x.Declare("xsi", XSINamespace)
	for _, s := range spaces {
		w.x.Declare(s.Prefix, s.URI)
	}
	return w
}

// WriteAgent writes an agent, for insertion into the metsHdr of an existing document.
func WriteAgent(out io.Writer, a Agent) error {
	w := &Writer{part: true, x: xmlstream.NewWriter(out, xmlstream.Options{Fragment: true})}
	w.x.Declare("mets", Namespace)
	w.agent(a)
	return w.x.Close()
}
