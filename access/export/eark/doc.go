// Package eark exports packages as E-ARK dissemination information packages: E-ARK CSIP 2.2.0 and
// E-ARK DIP 2.2.0 of the DILCIS Board (https://earkcsip.dilcis.eu, https://earkdip.dilcis.eu;
// docs/reference/570_exports-dspace-eark.md).
//
//	METS.xml                        the content of the package (CSIP, 5)
//	metadata/descriptive/           MODS of the website, and the same in Dublin Core
//	metadata/preservation/          PREMIS: the website, the stored and the exported package, the events and their agents
//	representations/rep1/           its own METS.xml, data/ with the WARC files, and PREMIS of each WARC file
//	documentation/                  logs and documents open to these readers; withheld content, with reasons
//	schemas/                        the schemas that these documents name, and a catalog of them
//
// The WARC files are the same as in the export format warc: they omit content closed to these
// readers. All dates are the dates of the exported version. So the same version, for the same
// readers, under the same rights, always has the same bytes.
package eark
