// Package statement makes and verifies signed statements of captures: what an archive holds of a URL
// at a moment, with the digest of the content and the place of its record.
//
// A statement is JSON in an envelope of the DSSE protocol, version 1 (Dead Simple Signing Envelope,
// https://github.com/secure-systems-lab/dsse): the signature covers the bytes of the statement and
// its type, so no canonical form of JSON is needed. The signature is Ed25519 (RFC 8032).
//
// A statement shows that the holder of the key said this. It does not show that it is true, nor when
// it was said: the time is the archive's own (docs/explanation/740_trust.md).
package statement
