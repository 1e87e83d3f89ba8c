// Package httpcoding removes the content codings of HTTP (RFC 9110, 8.4) from a streamed body. It
// knows gzip and deflate (RFC 9110, 8.4.1; deflate in both forms that servers send), br (RFC 7932)
// and zstd (RFC 8878, RFC 9659).
//
// In web archives many bodies are not coded as their head states: many crawlers kept the decoded
// body with the original head. The package passes such a body on unchanged, with its own fault.
// Memory is a few windows, whatever the real or stated size of a body. It gives up a body that
// unpacks to far more than its size ([Decoder.MaxExcess], [CodingBomb]).
package httpcoding
