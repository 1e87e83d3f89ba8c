// Package inflate gives the plain bytes of a container file in order, whatever it is compressed with: nothing, gzip members
// or Zstandard frames, told apart by their magic, never by the file's name. It knows for each byte which member of the file
// it came from, so that the readers of records above it can say exactly where a record lies.
//
//	in := inflate.NewReader(file, inflate.Options{})
//	line, err := in.Peek(80)      // look at the next inflated bytes, across members
//	chunk, err := in.Chunk(1<<20) // take some, without copying; never across a member boundary
//	at, err := in.Position()      // where the next byte lies, in the file and in the inflated stream
package inflate
