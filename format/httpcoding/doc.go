// Package httpcoding removes the content codings of HTTP (RFC 9110, 8.4) from a body that streams
// by: gzip and deflate (RFC 9110, 8.4.1; deflate in both readings that servers give it), br (RFC
// 7932) and zstd (RFC 8878, RFC 9659).
//
// A body that is not coded as its head says is common in web archives: many crawlers kept the
// decoded body with the head as sent. Such a body is passed on as it is, with a fault of its own.
// Memory is a few windows, however large a body is or pretends to be; a body that unpacks to far
// more than it has is given up ([Decoder.MaxExcess], [CodingBomb]).
package httpcoding
