// Package making holds what all have in common that write WARC files: a block that waits until its digests are known, record ids
// that are made of content, and values that a header can carry.
//
//	block := making.Held{Dir: temp}
//	defer block.Close()
//	_, err := io.Copy(&block, content) // digested on the way
//	id := making.RecordID(fields)      // the same fields, the same id
//	_, _, err = out.Write(fields, block.Size(), block.Reader())
package making
