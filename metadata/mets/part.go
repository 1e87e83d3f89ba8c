package mets

import (
	"io"

	"quire/metadata/xmlstream"
)

// Parent is an element of a document that is there, into which a part is put.
type Parent kind

// The parents.
const (
	InMets    Parent = Parent(kMets)    // an amdSec, for example
	InFileSec Parent = Parent(kFileSec) // a group of files
	InFileGrp Parent = Parent(kFileGrp) // a file
	InDiv     Parent = Parent(kDiv)     // a division
)

// NewPart returns a writer of one element with all that is in it, to be put into a document that is
// there. It declares the namespaces itself, so that it does not matter what the document calls
// them. Start and Header have no place in it. Whether the element may stand where it is put is for
// the caller to see to.
func NewPart(out io.Writer, in Parent, spaces []NamespaceDecl, opt Options) *Writer {
	depth := map[Parent]int{InMets: 1, InFileSec: 2, InFileGrp: 3, InDiv: 3}[in] // as this package writes them
	w := &Writer{part: true, open: []level{{kind: kind(in)}}}
	w.x = xmlstream.NewWriter(out, xmlstream.Options{Indent: !opt.Compact, Fragment: true, Depth: depth})
	w.x.Declare("mets", Namespace)
	w.x.Declare("xlink", XLinkNamespace)
	w.x.Declare("xsi", XSINamespace)
	for _, s := range spaces {
		w.x.Declare(s.Prefix, s.URI)
	}
	return w
}
