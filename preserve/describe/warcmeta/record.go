package warcmeta

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"quire/format/warc"
	"quire/internal/warcbuild"
	"quire/metadata/oclc"
	"quire/preserve/describe"
	"quire/source/records"
)

// Quire's own fields, which the standard allows (ISO 28500:2017, clause 4). They mark a metadata
// record as a description. Their values are escaped in the same way as values from an ARC: %XX for
// bytes that a header cannot contain.
const (
	// FieldStandard is the standard of the block: the namespace of the OCLC elements, or of MARCXML,
	// MarcXchange, MODS, EAD or oai_dc. It identifies descriptions.
	FieldStandard = "Description-Standard"
	// FieldOf is the described URL, as in the sheet. Redirects may lead from this URL to the
	// record.
	FieldOf = "Description-Of"
	// FieldLevel is the level of the description: site or page.
	FieldLevel = "Description-Level"
	// FieldRow is the id of the row.
	FieldRow = "Description-ID"
	// FieldReplaces is the WARC-Record-ID of the earlier description that this description
	// replaces, if any.
	FieldReplaces = "Description-Replaces"
)

// written is the header data of a description, without its document.
type written struct {
	ID, Replaces string // WARC-Record-IDs, with angle brackets
	Refers       string // the WARC-Record-ID of the described record
	Of, Row      string
	Level        describe.Level
	Form         Form
	Sum          [sha256.Size]byte // of the document
	Date         time.Time
}

// subject identifies a description: one can replace another with the same subject.
type subject struct {
	refers, of string
	level      describe.Level
	form       Form
}

func (w *written) subject() subject { return subject{w.Refers, w.Of, w.Level, w.Form} }

// sameContent reports whether both descriptions have the same content and row id.
func (w *written) sameContent(other *written) bool { return w.Sum == other.Sum && w.Row == other.Row }

// identify computes the record's id from its content, its subject, and the description that it
// replaces, but not from the date of the record. So the same description always has the same id, and a
// description that returns after another has a new id.
func (w *written) identify() {
	kind := w.Form.of()
	values := []warc.NameValue{
		{Name: warc.FieldRefersTo, Value: w.Refers}, {Name: FieldOf, Value: w.Of},
		{Name: FieldLevel, Value: string(w.Level)},
		{Name: FieldRow, Value: w.Row}, {Name: FieldReplaces, Value: w.Replaces},
		{Name: warc.FieldContentType, Value: kind.mediaType},
		{Name: "sha256", Value: hex.EncodeToString(w.Sum[:])},
	}
	if w.Form.catalogue() { // several of these forms share a media type
		values = append(values, warc.NameValue{Name: FieldStandard, Value: kind.standard})
	}
	w.ID = warcbuild.RecordID(values)
}

// fields returns the header of the record, in the order of the standard (6.5). The block digest is
// added when the record is written.
func (w *written) fields(target, warcinfo string, now time.Time) []warc.NameValue {
	kind := w.Form.of()
	list := []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeMetadata},
		{Name: warc.FieldRecordID, Value: w.ID},
		{Name: warc.FieldDate, Value: warc.FormatDate(now)},
		{Name: warc.FieldWarcinfoID, Value: warcinfo},
		{Name: warc.FieldRefersTo, Value: w.Refers},
		{Name: warc.FieldTargetURI, Value: target},
		{Name: warc.FieldContentType, Value: kind.mediaType},
		{Name: FieldStandard, Value: kind.standard},
		{Name: FieldOf, Value: warcbuild.Escape(w.Of)},
		{Name: FieldLevel, Value: string(w.Level)},
		{Name: FieldRow, Value: warcbuild.Escape(w.Row)},
	}
	if w.Replaces != "" {
		list = append(list, warc.NameValue{Name: FieldReplaces, Value: w.Replaces})
	}
	return list
}

// isDescription reports whether a record is one of Quire's descriptions.
func isDescription(r *records.Record) bool {
	return r.Type == warc.TypeMetadata && r.WARC != nil && isStandard(r.WARC.Get(FieldStandard))
}

// errForm reports a description in a form that this version does not support.
var errForm = errors.New("its form is not supported")

// readWritten reads a description and its document. errForm, a wrong escape or a document that is
// too long are errors of the record; others are of the file.
func readWritten(r *records.Record) (w written, document []byte, err error) {
	h := r.WARC
	w = written{ID: r.ID, Replaces: h.Get(FieldReplaces), Refers: h.Get(warc.FieldRefersTo),
		Level: describe.Level(h.Get(FieldLevel)), Date: r.Date}
	var wrong error
	for _, f := range []struct {
		name string
		to   *string
	}{{FieldOf, &w.Of}, {FieldRow, &w.Row}} {
		if *f.to, err = warcbuild.Unescape(h.Get(f.name)); err != nil {
			wrong = errors.Join(wrong, fmt.Errorf("%s: %w", f.name, err))
		}
	}
	if w.Form, err = formOf(h.Get(FieldStandard), r.ContentType); err != nil {
		wrong = errors.Join(wrong, err)
	}
	document, err = io.ReadAll(io.LimitReader(r, oclc.MaxBytes+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		wrong = errors.Join(wrong, errors.New("it is truncated"))
	case err != nil:
		return w, nil, err
	case len(document) > oclc.MaxBytes:
		wrong = errors.Join(wrong, oclc.ErrTooLong)
	}
	w.Sum = sha256.Sum256(document)
	if stated := h.Get(warc.FieldBlockDigest); stated != "" && wrong == nil {
		if d, err := warc.ParseDigest(stated); err == nil && !fits(d, document) {
			wrong = errors.New("its digest does not match: it was changed, or damaged")
		}
	}
	if wrong != nil {
		return w, document, &unreadable{wrong}
	}
	return w, document, nil
}

// unreadable is a problem of the description itself.
type unreadable struct{ error }

func fits(d warc.Digest, document []byte) bool {
	h := warc.NewHash(d.Algorithm)
	if h == nil {
		return true // cannot be checked
	}
	_, _ = h.Write(document) // a hash never fails
	return bytes.Equal(h.Sum(nil), d.Sum)
}
