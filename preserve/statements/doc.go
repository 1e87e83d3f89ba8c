// Package statements determines the access to each part of a package, with its dates and sources.
// The sources are records of the Web Curator Tool and PANDAS, and an institution's small YAML file
// (docs/reference/325_rights.md). The package writes the statements as premis:rights, reads them
// from the METS of a package, and decides. If two statements differ, the stricter one applies.
package statements
