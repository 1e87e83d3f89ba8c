// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"time"

	"github.com/richardlehane/characterize"
)

// Signatures is a signature file with the formats of PRONOM. Several goroutines may use it.
type Signatures struct {
	created    time.Time
	names      *names
	mimes      mimes
	containers []*container
	bytes      *bytesMatcher
	texts      int
	registry   *registry
}

// MIME returns the media types of a format, separated by ", "; "" if there is none.
func (s *Signatures) MIME(id string) string { return s.registry.formats[id].mime }

// magic starts a signature file; then come the major and the minor version of siegfried.
const (
	magic        = "sf\x00\xFF"
	majorVersion = 1
	minorVersion = 11
)

// Load reads a signature file. It fails if the file is damaged, or has signatures of a kind that
// this matcher does not have.
func Load(r io.Reader) (*Signatures, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if len(b) < len(magic)+2 || string(b[:len(magic)]) != magic {
		return nil, fmt.Errorf("no signature file of siegfried")
	}
	if b[len(magic)] != majorVersion || b[len(magic)+1] < minorVersion {
		return nil, errUnsupported
	}
	plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(b[len(magic)+2:])))
	if err != nil {
		return nil, err
	}
	return decode(&decoder{buf: plain})
}

func decode(d *decoder) (*Signatures, error) {
	s := &Signatures{created: d.time(), names: d.names(), mimes: d.mimes(), containers: d.containers()}
	for range d.count() { // XML: the formats of PRONOM have none
		d.fail(errUnsupported)
	}
	for range d.count() { // RIFF: the same
		d.fail(errUnsupported)
	}
	s.bytes, s.texts = d.bytesMatcher(), d.smallInt()
	if n := d.tinyUint(); n != 1 {
		d.fail(errUnsupported)
		return nil, d.err
	}
	s.registry = d.registry()
	return s, d.err
}

// Created returns when the signature file was built.
func (s *Signatures) Created() time.Time { return s.created }

// Name returns the name of the registry, as in siegfried's results.
func (s *Signatures) Name() string { return s.registry.name }

// Details returns the sources of the signatures.
func (s *Signatures) Details() string { return s.registry.details }

// Identify returns the formats that fit src equally well; without a format, one Identification with
// the reason. An extension in lower case, without a dot, and a media type without
// parameters are hints; either may be "".
func (s *Signatures) Identify(src Source, extension, mime string) []Identification {
	r := &recorder{registry: s.registry, hasName: extension != "" && len(s.registry.names.ids) > 0,
		hasMIME: mime != "" && len(s.registry.mimes.ids) > 0, hasText: len(s.registry.texts.ids) > 0}
	if extension != "" {
		s.names.find(extension, r.weak(&r.names, scoreExtension))
	}
	if mime != "" {
		s.mimes.find(mime, r.weak(&r.mimes, scoreMIME))
	}
	s.container(src, extension, r)
	if !r.isSatisfied(false) && s.bytes != nil {
		s.bytes.identify(src, r.suggested(&r.bytes), r.match(&r.registry.bytes))
	}
	if !r.isSatisfied(true) && s.texts > 0 {
		s.text(src, r)
	}
	return r.report()
}

// container identifies a document by the entries of its container.
func (s *Signatures) container(src Source, extension string, r *recorder) {
	start, err := src.Slice(0, triggerSize)
	if err != nil {
		return
	}
	for _, c := range s.containers {
		if !c.opens(start) {
			continue
		}
		match := r.match(&r.registry.containers)
		// An unreadable container has no entries.
		_ = c.identify(src, c.pivot(r.suggested(&r.registry.containers)), func(signature int, basis string) {
			if signature >= 0 {
				match(signature+c.start, basis)
			} else if c.extension != "" && c.extension == extension {
				r.zipByDefault()
			}
		})
		return
	}
}

// text identifies text.
func (s *Signatures) text(src Source, r *recorder) {
	b, err := src.Slice(0, unit)
	if err != nil && err != io.EOF { //nolint:errorlint // a Source returns io.EOF itself
		return
	}
	if kind := characterize.Detect(b); kind != characterize.DATA {
		r.matchText(kind)
	}
}
