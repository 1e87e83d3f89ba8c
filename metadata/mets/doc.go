// Package mets writes and reads METS 1.12.1 (Metadata Encoding and Transmission Standard, Library
// of Congress) as a stream: memory does not grow with the number of files in a document.
//
// Calls follow the order of the sections of METS. A call out of order is an error, and the first
// error persists. The caller passes a function that writes the wrapped metadata (MODS, PREMIS,
// containerMD), so this package does not depend on it.
package mets
