package pdf

import "io"

// Text is what is written on the pages of a document.
type Text struct {
	Text     string // lines, of all pages
	Cut      bool
	Warnings []string
}

// ReadText reads it.
func ReadText(in io.ReaderAt, size int64, most int) (*Text, error) { return &Text{}, nil }
