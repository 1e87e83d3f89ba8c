// Package dspace hands packages out for DSpace: in its Simple Archive Format, and as the METS
// package that it takes as a submission (docs/reference/570_exports-dspace-eark.md).
//
// A website is unpacked: of each URL one capture, whose links lead from file to file
// (access/export/unpack); the WARC files with all captures are beside it. Written is what DSpace's
// own importers read, versions 5 to 9, as their source says (ItemImportServiceImpl, METSManifest):
// names of files are ASCII, because the list of contents is read in whatever encoding the machine
// has, and links of METS are taken for names of files as they stand; fields of metadata are of the
// registries that every DSpace has.
package dspace

import "quire/access/export"

// Formats are those of this package.
func Formats() []export.Format {
	return []export.Format{
		{
			Name: "dspace-saf", Title: "DSpace Simple Archive Format",
			About: "items for dspace import: the website, or each of its pages, with the WARC files", Make: makeSAF,
		},
		{
			Name: "dspace-mets", Title: "DSpace METS SIP",
			About: "one item for dspace packager: the website, with its structure and links in METS", Ending: ".zip",
			MIME: "application/zip", Make: makeSIP,
		},
	}
}
