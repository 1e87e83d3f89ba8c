// Package httpblock reads the HTTP message in the block of a record: the head without taking it
// from the block, the payload without transfer coding (RFC 9112, 7.1), and the content without
// content codings (RFC 9110, 8.4).
//
// Record formats stand on it: ISO 28500:2017, 6.3.2, defines the payload of a response record by
// its HTTP message, and ARC files keep the same messages. Memory is bounded: a head of at most
// http1.MaxHead bytes, and a few windows for the codings.
package httpblock
