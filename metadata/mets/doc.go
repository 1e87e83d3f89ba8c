// Package mets writes and reads METS 1.12.1 (Metadata Encoding and Transmission Standard, Library
// of Congress) as a stream: memory does not grow with the number of files a document describes.
//
// Calls come in the order of the sections of METS; a call out of order is an error, and errors
// stick. What METS wraps (MODS, PREMIS, containerMD) is written by a function the caller passes, so
// this package knows nothing of it.
package mets
