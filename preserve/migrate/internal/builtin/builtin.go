// Package builtin holds the conversions that Quire has itself: old images to PNG, and HTML in old
// encodings to UTF-8.
//
// An error says why a bytestream cannot be converted without loss; ErrUnneeded that it is already
// what it should become.
package builtin

import (
	"errors"
	"maps"
	"slices"
)

// Input is a bytestream as it was served.
type Input struct {
	Content     []byte
	ContentType string // as declared, with parameters; may be ""
	Undeclared  string // the encoding of text that declares none; "" knows none
}

// Output is what became of it.
type Output struct {
	Content     []byte
	ContentType string   // "" when the rule knows it
	Notes       []string // what is to be told of the conversion, in words that many conversions share
}

// Func converts one bytestream.
type Func func(Input) (Output, error)

// ErrUnneeded says that a bytestream is already what it should become.
var ErrUnneeded = errors.New("it is already what it should become")

// MaxInput is how long a bytestream may be, in bytes: it is held in memory.
const MaxInput = 64 << 20

// maxPixels is how many pixels an image may have, all its frames together: a few bytes can declare
// very many.
const maxPixels = 64 << 20

var all = map[string]Func{"gif-to-png": gifToPNG, "xbm-to-png": xbmToPNG, "html-to-utf8": htmlToUTF8}

// Named gives the conversion of that name.
func Named(name string) (Func, bool) {
	f, ok := all[name]
	return f, ok
}

// Names lists the names.
func Names() []string { return slices.Sorted(maps.Keys(all)) }
