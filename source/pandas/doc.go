// Package pandas reads what PANDAS leaves, the system with which the National Library of Australia
// gathers for PANDORA: instances as folders and as tarballs, with what PANDAS put beside them, and,
// where there is one, a dump of its database.
//
// The crawler was HTTrack: the mirror is read by quire/source/httrack. What is read from where, and
// who is believed first, is told in docs/reference/415_pandas.md.
package pandas
