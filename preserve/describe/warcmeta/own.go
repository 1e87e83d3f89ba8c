package warcmeta

import (
	"errors"
	"io"
	"mime"

	"quire/format/warc"
	"quire/metadata/oclc"
	"quire/preserve/describe"
	"quire/source/records"
)

// isOwn reports whether a record may be a description by another system: a metadata record of JSON
// that Quire did not write.
func isOwn(r *records.Record) bool {
	if r.Type != warc.TypeMetadata || r.WARC == nil || r.WARC.Get(FieldStandard) != "" {
		return false
	}
	t, _, err := mime.ParseMediaType(r.ContentType)
	return err == nil && describe.IsOwnJSON(t)
}

// own reads the descriptions in a record of JSON. A record that is no description has none, nor has
// one that is too long or no JSON: many programs store JSON.
func own(r *records.Record, m *describe.Mapping) ([]Listed, error) {
	document, err := io.ReadAll(io.LimitReader(r, oclc.MaxBytes+1))
	if errors.Is(err, io.ErrUnexpectedEOF) || err == nil && len(document) > oclc.MaxBytes {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found, err := describe.ReadOwnJSON(document, m)
	if err != nil {
		return nil, nil //nolint:nilerr // JSON that cannot be read is no description
	}
	var all []Listed
	for i := range found {
		d := &found[i]
		l := Listed{Offset: r.Offset, ID: r.ID, Date: r.Date, RefersTo: r.WARC.Get(warc.FieldRefersTo),
			TargetURI: r.URI, URL: r.URI, Row: d.ID, Level: d.Level, Format: JSON, Record: d.Record,
			Document: string(document), Own: true, Unread: d.Unread}
		if urls := URLs(&d.Description); len(urls) > 0 {
			l.URL = urls[0]
		}
		all = append(all, l)
	}
	return all, nil
}
