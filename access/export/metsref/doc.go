// Package metsref exports packages as one standalone METS document: it lists the content and its
// addresses, without the bytes (docs/reference/570_exports-dspace-eark.md). It is for catalogues,
// and for repositories that refer to the holdings of another.
//
// Each capture open to the readers is a file; its FLocat is the address of the unmodified capture
// on the replay server. Curators also see its place in the containers. A withheld item is a
// division without a file, with the message for readers. The document also contains the list of
// withheld content, as in other exports.
package metsref

import "quire/access/export"

// Formats returns the formats of this package.
func Formats() []export.Format {
	return []export.Format{{
		Name: "mets", Title: "METS 1.12 with references",
		About: "one XML file with a list of the captures and their addresses", Ending: ".xml", MIME: "application/xml",
		Make: Make, Needs: export.Nothing,
	}}
}
