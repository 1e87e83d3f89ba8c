// Package http1 reads HTTP/1.x messages as the web sent them and crawlers kept them: the blocks of
// response and request records in ARC and WARC files. It follows RFC 9112 (HTTP/1.1 message syntax)
// and RFC 9110 (fields), and goes on where real servers did not follow them: Go's own net/http
// refuses such messages, an archive has to read them.
//
// A [Splitter] takes the chunks of a block in one pass and does not hold the body. [ReadMessage]
// reads a message at once.
//
// Nothing is repaired and nothing is lost: [Head.Raw] holds the bytes as sent, and what the
// standard does not allow is told as a fault, once per code and message, with a count. This package
// knows no file: the Offset and Record of its faults are zero, for the caller to fill in.
package http1
