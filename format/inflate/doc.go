// Package inflate gives the plain bytes of a container file in order, whatever it is compressed
// with: nothing, gzip members or Zstandard frames, told apart by their magic, never by the file's
// name. It knows for each byte which member of the file it came from, so that the readers of
// records above it can say exactly where a record lies.
package inflate
