// Package pandas reads the output of PANDAS. The National Library of Australia uses PANDAS to
// gather websites for PANDORA. The package reads instances as folders and as tarballs, the files
// that PANDAS put beside them, and, if present, a dump of the PANDAS database.
//
// The crawler was HTTrack, and quire/source/httrack reads the mirror. docs/reference/415_pandas.md
// lists the sources of each fact and their precedence.
package pandas
