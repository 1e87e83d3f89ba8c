// Package dspace exports packages for DSpace: in its Simple Archive Format, and as the METS package
// that DSpace accepts as a submission (docs/reference/570_exports-dspace-eark.md).
//
// A website is unpacked: one capture per URL, with links between the files (access/export/unpack);
// the WARC files with all captures accompany it. The output follows the source of DSpace's own
// importers, versions 5 to 9 (ItemImportServiceImpl, METSManifest). File names are ASCII, because
// DSpace reads the list of contents in the encoding of its machine. Links in METS are not escaped,
// because DSpace takes them literally as file names. Metadata fields are from the registries of
// every DSpace.
package dspace

import "quire/access/export"

// Formats returns the formats of this package.
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
