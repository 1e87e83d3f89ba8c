// Package wct reads the output of the Web Curator Tool: target instances in its digital asset store
// and in its file archive. It also reads the METS of an archived instance and, if present, a dump
// of the database.
//
// The crawler was Heritrix: quire/source/heritrix reads its logs, reports and configuration.
// docs/reference/410_wct.md lists the sources of each fact and their precedence.
//
// No schema exists for WCT's own part of the METS, and the METS is not always well-formed. So this
// package matches local names, including misspelt ones. It skips invalid XML and reports it.
package wct
