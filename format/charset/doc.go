// Package charset finds out which encoding a text of the web is in, and decodes it: by the labels
// of the Encoding Standard (4.2), and the order in which the HTML Standard believes those who
// declare one (13.2.3.2).
//
// Nothing is guessed: ErrUndeclared says that nobody declares one. Decode fails where a byte means
// nothing; DecodeLossy puts U+FFFD there.
package charset
