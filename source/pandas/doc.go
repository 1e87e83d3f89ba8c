// Package pandas reads the output of PANDAS, the system with which the National Library of
// Australia gathers for PANDORA. It reads instances as folders and as tarballs, the files that
// PANDAS put beside them, and, if present, a dump of its database.
//
// The crawler was HTTrack, and quire/source/httrack reads the mirror. docs/reference/415_pandas.md
// lists the sources of each fact and their precedence.
package pandas
