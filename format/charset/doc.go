// Package charset finds the encoding of a text of the web and decodes it. It uses the labels of the
// Encoding Standard (4.2) and the order of precedence in the HTML Standard (13.2.3.2).
//
// The package does not guess: ErrUndeclared means that no encoding is declared. Decode fails at an
// undecodable byte; DecodeLossy replaces it by U+FFFD.
package charset
