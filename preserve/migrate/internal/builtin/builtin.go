// Package builtin has Quire's own conversions: old images to PNG, and HTML in old encodings to
// UTF-8.
//
// An error states why a bytestream cannot be converted without loss; ErrUnneeded means that it
// already has the target format.
package builtin

import (
	"errors"
	"maps"
	"slices"
)

// Input is a bytestream as it would be served.
type Input struct {
	Content     []byte
	ContentType string // as declared, with parameters; may be ""
	Undeclared  string // the encoding of text that declares none; "" if not known
}

// Output is the result of a conversion.
type Output struct {
	Content     []byte
	ContentType string   // "" if the rule has it
	Notes       []string // remarks on the conversion, in words that many conversions share
}

// Func converts one bytestream.
type Func func(Input) (Output, error)

// ErrUnneeded reports that a bytestream already has the target format.
var ErrUnneeded = errors.New("the bytestream already has the target format")

// MaxInput is the largest bytestream, in bytes: it is held in memory.
const MaxInput = 64 << 20

// maxPixels is the most pixels of an image with all its frames: a few bytes can declare very many.
const maxPixels = 64 << 20

var all = map[string]Func{"gif-to-png": gifToPNG, "xbm-to-png": xbmToPNG, "html-to-utf8": htmlToUTF8}

// Named returns the conversion with that name.
func Named(name string) (Func, bool) {
	f, ok := all[name]
	return f, ok
}

// Names lists the names.
func Names() []string { return slices.Sorted(maps.Keys(all)) }
