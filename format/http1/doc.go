// Package http1 reads HTTP/1.x messages as servers sent them and crawlers stored them: the blocks
// of response and request records in ARC and WARC files. It follows RFC 9112 (HTTP/1.1 message
// syntax) and RFC 9110 (fields). It also reads messages of real servers that break these standards.
// Go's own net/http refuses such messages, but an archive has to read them.
//
// A [Splitter] processes the chunks of a block in one pass and does not hold the body.
// [ReadMessage] reads a message at once.
//
// The package repairs nothing and loses nothing: [Head.Raw] holds the bytes as sent. It reports
// breaches of the standard as faults, once per code and message, with a count. It does not know the
// file: the Offset and Record of its faults are zero, and the caller sets them.
package http1
