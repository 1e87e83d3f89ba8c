// Package recordfile writes files of records so that they never end in half a record. Each record
// is plain, or alone in a gzip member or Zstandard frame (ISO 28500:2017, Annex D; ARC files by
// practice).
//
// A record that cannot be written to its end is cut off where the output can be cut, and the writer
// says where the last whole record ends. A file has a temporary name until it is whole, synced and
// renamed.
package recordfile
