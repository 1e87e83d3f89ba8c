package records

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/format/warc"
	"quire/model"
)

// maxInfo is the number of bytes read from the first record.
const maxInfo = 1 << 20

// Info returns the fields of the first warcinfo, or of the metadata in an ARC's version block, in
// their order: the writer of the container and its software. It must be the first record. A
// container without one has no fields, and neither has any other file.
func Info(content io.ReadSeeker) ([]model.Field, error) {
	rec, err := NewReader(content, nil).Next()
	if errors.Is(err, io.EOF) || errors.Is(err, ErrNotContainer) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return rec.Fields()
}

// Fields returns the fields of a warcinfo, of another block of warc-fields, or of an ARC's version
// block. Other records have none.
func (r *Record) Fields() ([]model.Field, error) {
	var fields []model.Field
	switch {
	case r.ARC != nil && r.ARC.Version != nil:
		for _, f := range r.ARC.Version.Fields {
			fields = append(fields, model.Field{Name: f.Name, Value: f.Value})
		}
	case r.WARC != nil && (r.Type == warc.TypeWarcinfo || r.ContentType == "application/warc-fields"):
		block, err := io.ReadAll(io.LimitReader(r, maxInfo))
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("reading the fields of the record at byte %d: %w", r.Offset, err)
		}
		for _, f := range warc.ParseFields(block) {
			if strings.HasPrefix(f.Name, "#") {
				continue // a comment of NetarchiveSuite: "#added by NetarchiveSuite Version: 5.3"
			}
			fields = append(fields, model.Field{Name: f.Name, Value: f.Value})
		}
	}
	return fields, nil
}
