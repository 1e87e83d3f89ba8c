package client

import (
	"errors"
	"fmt"
	"io"

	"quire/metadata/xmlstream"
	"quire/model"
)

// visitError is the error of a visit. It ends the reading and is returned unchanged.
type visitError struct{ error }

func (e visitError) Unwrap() error { return e.error }

func visited(err error) error {
	if err == nil {
		return nil
	}
	return visitError{err}
}

// list reads the units of a list: records, headers, sets or formats. It skips broken units.
func (r *reading) list(list tag) error {
	outer := r.scope
	defer func() { r.scope = outer }()
	r.scope = r.scope.with(list.raw)
	name := list.name
	for {
		t, err := r.scan.next(r.Size())
		var b *broken
		switch {
		case errors.Is(err, io.EOF):
			return &broken{r.Size(), "it ends before </" + name + ">"}
		case errors.As(err, &b):
			return err
		case err != nil:
			return err
		case t.kind == aside:
			continue
		case t.kind == endTag && t.name == name:
			return nil
		case t.kind == endTag:
			return &broken{t.start, fmt.Sprintf("</%.40s> where <%.40s> ends", t.name, name)}
		}
		if err := r.unit(t, name); err != nil {
			return err
		}
	}
}

// unit reads one element of a list.
func (r *reading) unit(t tag, list string) error {
	limit := r.Size()
	end, parts, err := r.scan.element(t, limit)
	var b *broken
	if errors.As(err, &b) {
		next, err := r.scan.resume(t, list, limit)
		if err != nil {
			return err
		}
		if next == limit { // the answer ends here, or is broken to its end
			return b
		}
		r.scan.at = next
		return r.refuse(t, span{t.start, next}, b.Error())
	}
	if err != nil {
		return err
	}
	s := span{t.start, end}
	err = r.known(t, s, parts)
	var visit visitError
	if errors.As(err, &visit) {
		return visit.error
	}
	if err != nil {
		err = r.refuse(t, s, err.Error())
	}
	r.scan.at = end
	return err
}

// known reads a complete element.
func (r *reading) known(t tag, s span, parts []part) error {
	switch local(t.name) {
	case "resumptionToken":
		return r.token(s)
	case "metadataFormat":
		return r.format(s)
	case "set":
		r.response.Units++
		return r.set(s)
	case "record":
		return r.record(t, s, parts)
	case "header":
		rec := &Record{answer: r.Answer, scope: r.scope, place: s}
		if err := rec.takeHeader(s, r.limits); err != nil {
			return err
		}
		return r.hand(rec)
	}
	r.tell.find(CodeEnvelope, model.Warning, t.start, "", fmt.Sprintf("the protocol has no <%.60s> in a list", t.name))
	return nil
}

// record reads one record.
func (r *reading) record(t tag, s span, parts []part) error {
	rec := &Record{answer: r.Answer, scope: r.scope.with(t.raw), place: s}
	for _, p := range parts {
		if p.prolog {
			r.tell.find(CodeProlog, model.Warning, p.start, "",
				"a record contains an XML declaration, which is skipped")
		}
	}
	if err := rec.take(parts, r.limits); err != nil {
		return err
	}
	if !r.visit.Lenient {
		if err := rec.WellFormed(); err != nil {
			return err
		}
	}
	return r.hand(rec)
}

// hand passes a record to the visitor.
func (r *reading) hand(rec *Record) error {
	r.response.Units++
	if rec.Deleted {
		r.response.Deleted++
	}
	if r.visit.Record == nil {
		return nil
	}
	return visited(r.visit.Record(rec))
}

// refuse reports an unreadable unit and passes on its bytes.
func (r *reading) refuse(t tag, s span, why string) error {
	if name := local(t.name); name != "record" && name != "header" {
		r.tell.find(CodeEnvelope, model.Warning, s.start, "", fmt.Sprintf("<%.60s> is unreadable: %s", t.name, why))
		return nil
	}
	r.response.Units++
	r.response.Refused++
	rec := &Record{Refused: why, answer: r.Answer, place: s}
	rec.Identifier = r.guess(s)
	r.tell.find(CodeRecord, model.Error, s.start, rec.Identifier, "the record is unreadable: "+why)
	if r.visit.Record == nil {
		return nil
	}
	return r.visit.Record(rec)
}

// maxGuess is the number of bytes of a broken record that are searched for its identifier.
const maxGuess = 32 << 10

// guess returns the probable identifier of a broken record, or "".
func (r *reading) guess(s span) string {
	limit := min(s.end, s.start+maxGuess)
	for r.scan.at = s.start; ; {
		t, err := r.scan.next(limit)
		if err != nil {
			break
		}
		if t.kind != startTag || local(t.name) != "identifier" {
			continue
		}
		rec := &Record{}
		end, _, err := r.scan.element(t, limit)
		if err != nil {
			break
		}
		err = r.with(span{t.start, end}, func(x *xmlstream.Reader, _ xmlstream.Element) error {
			return x.TextTo(&rec.Identifier)
		})
		if err == nil {
			r.scan.at = s.end
			return trim(rec.Identifier)
		}
		break
	}
	r.scan.at = s.end
	return ""
}
