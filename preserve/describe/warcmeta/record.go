package warcmeta

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"slices"
	"time"

	"quire/format/warc"
	"quire/internal/warcbuild"
	"quire/metadata/oclc"
	"quire/preserve/describe"
	"quire/source/records"
)

// Fields of our own, which the standard allows (ISO 28500:2017, clause 4): they make a metadata
// record a description. Their values are escaped as those of an ARC's are: %XX for what a header
// cannot carry.
const (
	// FieldStandard is what the block follows: the namespace of the OCLC elements. It is what
	// descriptions are known by.
	FieldStandard = "Description-Standard"
	// FieldOf is the URL that the description is about, as the sheet has it. Redirects may lead
	// from there to the record.
	FieldOf = "Description-Of"
	// FieldLevel is the level of the description: site or page.
	FieldLevel = "Description-Level"
	// FieldRow is the id of the row.
	FieldRow = "Description-ID"
	// FieldReplaces is the WARC-Record-ID of the description that this one takes the place of, when
	// there is one.
	FieldReplaces = "Description-Replaces"
)

// written is a description as a record has it, without its document.
type written struct {
	ID, Replaces string // WARC-Record-IDs, with angle brackets
	Refers       string // the WARC-Record-ID that it is about
	Of, Row      string
	Level        describe.Level
	Format       oclc.Format
	Sum          [sha256.Size]byte // of the document
	Date         time.Time
}

// subject is what two descriptions have in common of which one can replace the other.
type subject struct {
	refers, of string
	level      describe.Level
	format     oclc.Format
}

func (w *written) subject() subject { return subject{w.Refers, w.Of, w.Level, w.Format} }

// says whether both say the same, under the same name.
func (w *written) says(other *written) bool { return w.Sum == other.Sum && w.Row == other.Row }

// identify makes the record's id of what it says, of what, and of what it replaces: not of the
// moment. So the same description gets the same id wherever it is made; and one that comes back
// after another has one of its own.
func (w *written) identify() {
	w.ID = warcbuild.RecordID([]warc.NameValue{
		{Name: warc.FieldRefersTo, Value: w.Refers}, {Name: FieldOf, Value: w.Of},
		{Name: FieldLevel, Value: string(w.Level)},
		{Name: FieldRow, Value: w.Row}, {Name: FieldReplaces, Value: w.Replaces},
		{Name: warc.FieldContentType, Value: w.Format.MediaType()},
		{Name: "sha256", Value: hex.EncodeToString(w.Sum[:])},
	})
}

// fields are the header of the record, in the order of the standard (6.5); the digest of the block
// is added on writing.
func (w *written) fields(target, warcinfo string, now time.Time) []warc.NameValue {
	list := []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeMetadata},
		{Name: warc.FieldRecordID, Value: w.ID},
		{Name: warc.FieldDate, Value: warc.FormatDate(now)},
		{Name: warc.FieldWarcinfoID, Value: warcinfo},
		{Name: warc.FieldRefersTo, Value: w.Refers},
		{Name: warc.FieldTargetURI, Value: target},
		{Name: warc.FieldContentType, Value: w.Format.MediaType()},
		{Name: FieldStandard, Value: oclc.Namespace},
		{Name: FieldOf, Value: warcbuild.Escape(w.Of)},
		{Name: FieldLevel, Value: string(w.Level)},
		{Name: FieldRow, Value: warcbuild.Escape(w.Row)},
	}
	if w.Replaces != "" {
		list = append(list, warc.NameValue{Name: FieldReplaces, Value: w.Replaces})
	}
	return list
}

// isDescription knows a record of ours.
func isDescription(r *records.Record) bool {
	return r.Type == warc.TypeMetadata && r.WARC != nil && r.WARC.Get(FieldStandard) == oclc.Namespace
}

// errForm is told of a description that is of no form that this version knows.
var errForm = errors.New("its form is not known here")

// readWritten reads a description and its document. An error of errForm, of an escape or of a
// document that is too long is one of the record; others are of the file.
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
	if w.Format, err = formOf(r.ContentType); err != nil {
		wrong = errors.Join(wrong, err)
	}
	document, err = io.ReadAll(io.LimitReader(r, oclc.MaxBytes+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		wrong = errors.Join(wrong, errors.New("it is cut off"))
	case err != nil:
		return w, nil, err
	case len(document) > oclc.MaxBytes:
		wrong = errors.Join(wrong, oclc.ErrTooLong)
	}
	w.Sum = sha256.Sum256(document)
	if stated := h.Get(warc.FieldBlockDigest); stated != "" && wrong == nil {
		if d, err := warc.ParseDigest(stated); err == nil && !fits(d, document) {
			wrong = errors.New("its digest does not fit: it was changed, or damaged")
		}
	}
	if wrong != nil {
		return w, document, &unreadable{wrong}
	}
	return w, document, nil
}

// unreadable is what is wrong with a description as such.
type unreadable struct{ error }

func fits(d warc.Digest, document []byte) bool {
	h := warc.NewHash(d.Algorithm)
	if h == nil {
		return true // not to be checked
	}
	_, _ = h.Write(document) // a hash takes everything
	return bytes.Equal(h.Sum(nil), d.Sum)
}

func formOf(contentType string) (oclc.Format, error) {
	t, _, err := mime.ParseMediaType(contentType)
	if err == nil {
		if i := slices.IndexFunc(oclc.Formats, func(f oclc.Format) bool { return f.MediaType() == t }); i >= 0 {
			return oclc.Formats[i], nil
		}
	}
	return "", fmt.Errorf("%w: %.60q", errForm, contentType)
}
