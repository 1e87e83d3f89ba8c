package records

import (
	"errors"
	"io"
)

// Format is the format of a container.
type Format string

// The formats; None for other files.
const (
	None Format = ""
	ARC  Format = "ARC"
	WARC Format = "WARC"
)

// Sniff detects the format from the inflated beginning, and rewinds content.
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
