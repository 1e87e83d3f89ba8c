package harvest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"quire/internal/disk"
	"quire/model"
	"quire/oai/client"
	"quire/oai/protocol"
	"quire/source/oaiharvest"
)

// sink stores records.
type sink interface {
	crate(k *crateRecord) error
	document(p *page, r *client.Record) error
	deleted(p *page, r *client.Record) error
	index() *seen
	commit() error
	close() error
}

// page is the reading of one page.
type page struct {
	*harvest
	ctx    context.Context
	answer *client.Answer
	n      int64     // number among the pages of all windows
	when   time.Time // time of the request
	counts oaiharvest.Counts
	// unreadable records with bytes that no page of this folder had before
	refused int64
}

// record stores one record, unless it was stored before.
func (p *page) record(r *client.Record) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	if r.Refused != "" {
		return p.refuse(r)
	}
	p.follow(r)
	k := key(r.Identifier, recordKey(r))
	before, known, err := p.sink.index().record(k)
	if err != nil {
		return err
	}
	if known && len(before) == 0 {
		p.counts.Duplicates++
		return nil
	}
	missing := p.counts.Missing
	done, err := p.keep(r, before)
	if err != nil {
		return err
	}
	if done == nil { // refused, or stored before
		return nil
	}
	p.counts.Records++
	if p.settled(r) && p.counts.Missing == missing {
		done = nil // a record that lacks bytes is compared again, when it is listed again
	}
	return p.sink.index().add(k, done, p.n)
}

// recordKey returns the key of a record's state.
func recordKey(r *client.Record) string {
	stamp := r.DatestampText
	if !r.Datestamp.IsZero() {
		stamp = protocol.FormatDatestamp(r.Datestamp)
	}
	if r.Deleted {
		stamp += " deleted"
	}
	return stamp
}

// settled reports whether a record with this datestamp can no longer change: its second or day was
// over at the time of the request.
func (p *page) settled(r *client.Record) bool {
	if r.Datestamp.IsZero() {
		return false
	}
	last := r.Datestamp
	if p.days || len(r.DatestampText) == len("2006-01-02") {
		last = protocol.Days.Last(last)
	}
	return last.Before(p.window.ResponseDate.Add(-time.Second))
}

// follow records the order of datestamps.
func (p *page) follow(r *client.Record) {
	w := p.window
	switch {
	case r.Datestamp.IsZero():
		return
	case r.Datestamp.Before(w.RunLast):
		w.Ordered = false
	}
	w.RunLast = r.Datestamp
	if r.Datestamp.After(w.Last) {
		w.Last = r.Datestamp
	}
}

// keep stores a record. It returns a digest of its content, or nil if the record was not stored.
func (p *page) keep(r *client.Record, before []byte) ([]byte, error) {
	switch {
	case r.Deleted && before != nil:
		p.counts.Duplicates++
		return nil, nil
	case r.Deleted:
		p.counts.Deleted++
		d := oaiharvest.Deleted{Identifier: r.Identifier, Datestamp: r.DatestampText, Sets: r.Sets, Window: p.windowN()}
		if err := p.folder.add(p.state, oaiharvest.DeletedFile, d); err != nil {
			return nil, err
		}
		return []byte("deleted"), p.sink.deleted(p, r)
	case !r.HasMetadata():
		r.Refused = "the record has no metadata, but is not marked as deleted"
		return nil, p.refuse(r)
	case r.Root() == "DIDL":
		digest, err := p.keepCRATE(r, before)
		var bad *badError
		if !errors.As(err, &bad) {
			return digest, err
		}
		if wrong := r.WellFormed(); wrong != nil {
			r.Refused = wrong.Error()
			return nil, p.refuse(r)
		}
		p.find(CodeDocument, model.Warning, r, "stored as XML, because it is not readable DIDL: "+bad.Error())
	default:
		if wrong := r.WellFormed(); wrong != nil {
			r.Refused = wrong.Error()
			return nil, p.refuse(r)
		}
	}
	h := sha256.New()
	if _, err := io.Copy(h, r.Metadata()); err != nil {
		return nil, err
	}
	digest := h.Sum(nil)[:16]
	if bytes.Equal(digest, before) {
		p.counts.Duplicates++
		return nil, nil
	}
	return digest, p.sink.document(p, r)
}

// find adds a finding on a record.
func (p *page) find(code string, severity model.Severity, r *client.Record, message string) {
	p.note(oaiharvest.Finding{Code: code, Severity: string(severity), Page: p.window.Pages + 1, Offset: r.Offset(),
		Identifier: r.Identifier, Message: message})
}

// refuse stores the bytes of an unreadable record, with the reason.
func (p *page) refuse(r *client.Record) error {
	p.counts.Refused++
	dir := p.folder.at(oaiharvest.RefusedDir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := fmt.Sprintf("%06d.xml", p.state.Counts.Refused+p.counts.Refused)
	sum := sha256.New()
	err := disk.Write(filepath.Join(dir, name), func(w io.Writer) error {
		_, err := io.Copy(io.MultiWriter(w, sum), r.Raw())
		return err
	})
	if err != nil {
		return err
	}
	again, err := p.sink.index().token("refused", hex.EncodeToString(sum.Sum(nil)), p.n)
	if !again {
		p.refused++
	}
	p.note(oaiharvest.Finding{Code: client.CodeRecord, Severity: string(model.Error), Page: p.window.Pages + 1,
		Offset: r.Offset(), Identifier: r.Identifier,
		File: oaiharvest.RefusedDir + "/" + name, Message: "the record is unreadable: " + r.Refused})
	return err
}
