// Package wct reads what the Web Curator Tool leaves: target instances in its digital asset store
// and in its file archive, the METS that it wrote when one was archived, and, where there is one, a
// dump of its database.
//
// The crawler was Heritrix: logs, reports and configuration are read by quire/source/heritrix. What
// is read from where, and who is believed first, is told in docs/reference/410_wct.md.
//
// No schema exists for the part of the METS that is WCT's own, and what was written is not always
// well-formed. So names are taken by their local part, misspelt ones included, and what cannot be
// XML is read around and reported.
package wct
