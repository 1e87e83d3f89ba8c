// Package eark hands packages out as E-ARK dissemination information packages: E-ARK CSIP 2.2.0 and
// E-ARK DIP 2.2.0 of the DILCIS Board (https://earkcsip.dilcis.eu, https://earkdip.dilcis.eu;
// docs/reference/570_exports-dspace-eark.md).
//
//	METS.xml                        what is in the package (CSIP, 5)
//	metadata/descriptive/           MODS of the website, and the same in Dublin Core
//	metadata/preservation/          PREMIS: the website, the package as it is stored, this one, what was done, and by whom
//	representations/rep1/           METS.xml of its own, data/ with the WARC files, and PREMIS of each of these
//	documentation/                  logs and documents that these readers may have; what was kept back, and why
//	schemas/                        where the schemas of all this stand officially
//
// What the readers of the export may not have is not in the WARC files: they are those of the
// format warc. All dates are those of the version that is handed out, so that the same version, for
// the same readers, under the same rights, gives the same bytes.
package eark
