package records

import (
	"errors"
	"io"
)

// Format is what a container is.
type Format string

// The formats; None of a file that is no container.
const (
	None Format = ""
	ARC  Format = "ARC"
	WARC Format = "WARC"
)

// Sniff says what content is by its inflated beginning, and leaves it at its beginning.
func Sniff(content io.ReadSeeker) (Format, error) {
	r := NewReader(content, nil)
	err := r.recognise()
	format := None
	switch {
	case errors.Is(err, ErrNotContainer):
		err = nil
	case err == nil && r.warc != nil:
		format = WARC
	case err == nil:
		format = ARC
	}
	_, back := content.Seek(0, io.SeekStart)
	return format, errors.Join(err, back)
}
