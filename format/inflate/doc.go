// Package inflate returns the plain bytes of a container file in order. The file may be
// uncompressed, or consist of gzip members or Zstandard frames. The magic decides, never the file's
// name. The package knows the member of each byte, so record readers can give the exact place of a
// record.
package inflate
