package reconcile

import (
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/format/cdx"
	"quire/format/fault"
	"quire/model"
)

// readIndexes reads each index once, and passes its entries to take.
func (r *run) readIndexes(take func(e *cdx.Entry, legend string) error) error {
	for _, f := range r.files(model.RoleIndex) {
		if err := r.readIndex(f, take); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return nil
}

func (r *run) readIndex(f *model.SourceFile, take func(e *cdx.Entry, legend string) error) (err error) {
	in, err := r.reading(f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	var text io.Reader = in
	if strings.HasSuffix(f.Path, ".gz") {
		if text, err = gzip.NewReader(in); err != nil {
			r.unreadableIndex(f, 0, "cannot be decompressed: "+err.Error())
			return nil
		}
	}
	x := cdx.NewReader(text, cdx.Options{Report: func(x fault.Fault) {
		r.unreadableIndex(f, x.Offset, x.Detail)
	}})
	row := File{File: f.Path}
	for e, err := range x.All() {
		if err != nil && text != io.Reader(in) && r.ctx.Err() == nil {
			r.unreadableIndex(f, e.At, "cannot be decompressed further: "+err.Error())
			break
		}
		if err != nil {
			return err
		}
		if x.Form().Kind == cdx.ZipNum || e.URL == "" && !IsContainerName(e.File) { // blocks of another index
			return nil
		}
		row.Rows++
		if err := take(&e, x.Form().Legend); err != nil {
			return err
		}
	}
	if row.Rows > 0 {
		r.out.Witnesses.Index.Files = append(r.out.Witnesses.Index.Files, row)
		r.out.Witnesses.Index.Entries += row.Rows
	}
	return nil
}

func (r *run) unreadableIndex(f *model.SourceFile, offset int64, detail string) {
	r.out.Witnesses.Index.Unreadable++
	r.find(model.Finding{Code: string(cdx.FaultLine), Severity: model.Warning, Path: f.Path, Offset: offset,
		Message: detail})
}

// readEntry stores an entry.
func (r *run) readEntry(e *cdx.Entry, legend string) error {
	s := sighting{
		kind: ofIndex, at: millis(e.Time), status: e.Status, container: r.shelf.find(e.File), offset: e.Offset,
		size: e.Length, content: -1, stored: -1,
		line: e.Line, what: legend, note: e.MIME,
	}
	uri := e.URL
	if uri == "" {
		uri = e.Key
	}
	r.spelled(s.set(uri))
	// the bytes of an "old style checksum" are unknown
	if !strings.Contains(legend, "c") || strings.Contains(legend, "k") {
		s.digest = digestOf(e.Digest)
	}
	if strings.Contains(legend, "v") && !strings.Contains(legend, "V") {
		s.marks |= isInflated
	}
	if s.container >= 0 {
		c := r.shelf.all[s.container]
		c.entries++
		c.lastEntry = max(c.lastEntry, e.Offset)
		if s.at != noTime {
			c.lastAt = max(c.lastAt, s.second())
		}
	}
	return r.place(&s)
}

// place stores a sighting by its place, for comparing index and records there.
func (r *run) place(s *sighting) error {
	if s.container < 0 || s.offset < 0 {
		if s.kind == ofIndex {
			return r.see(s)
		}
		return nil
	}
	r.key = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(r.key[:0], uint32(s.container)),
		uint64(s.offset))
	r.key = append(r.key, s.uri...)
	r.key = append(r.key, byte(s.kind))
	r.val = s.value(r.val)
	return r.places.Add(r.key, r.val)
}
