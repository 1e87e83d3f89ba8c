// Package metsref hands packages out as one METS document that stands alone: what there is, and
// where it can be had, without the bytes (docs/reference/570_exports-dspace-eark.md). It is for
// catalogues, and for repositories that point to what another keeps.
//
// Each capture that the readers may have is a file, whose FLocat is its address at the replay
// server, as it was captured; curators are told where it lies in the containers, too. What is kept
// back is a division without a file, with the words that readers are told; the list of all of it is
// wrapped as it stands beside other exports.
package metsref

import "quire/access/export"

// Formats are those of this package.
func Formats() []export.Format {
	return []export.Format{{
		Name: "mets", Title: "METS 1.12 with references",
		About: "one XML file that says what there is, and where it can be had", Ending: ".xml", MIME: "application/xml",
		Make: Make,
	}}
}
