// Package outline keeps the outlines of packages: the part of the facts in a METS that decisions on access need. They
// are in one SQLite file, so a start reads no METS that was read before.
//
// An outline belongs to one inventory of its package. The rights of a version never change, so its outline stays
// true. The file is a cache: an outline that is missing, damaged or of another form is read from the METS again.
package outline
