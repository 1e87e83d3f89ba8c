package harvest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"

	"quire/internal/blockbuffer"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/oai/client"
	"quire/oai/crate"
	"quire/oai/plugin"
	"quire/source/oaiharvest"
)

// crateRecord is a record with a CRATE or another DIDL as its metadata, before it is stored.
type crateRecord struct {
	*page
	record *client.Record
	doc    *crate.Document
	bodies []*body
	uris   map[string]bool // of the bodies
}

// body holds the bytes of one component.
type body struct {
	*crate.Resource
	uri     string // of its subject
	held    *blockbuffer.Buffer
	found   crate.Fixity
	fetched bool   // from the record's reference
	problem string // the error in the bytes, which are still stored; or the reason for missing bytes, if held is nil
}

// maxBodies is the maximum number of resources with bytes in one record, because each may need a
// file during reading. The first maxQuick are held in memory.
const (
	maxBodies = 1000
	maxQuick  = 16
)

// badError means that metadata are not readable DIDL.
type badError struct{ error }

func (e *badError) Unwrap() error { return e.error }

// diskError is an error of storing bytes, not of the document.
type diskError struct{ error }

func (e *diskError) Unwrap() error { return e.error }

// holding writes into a body's buffer.
type holding struct{ *blockbuffer.Buffer }

func (h holding) Write(p []byte) (int, error) {
	n, err := h.Buffer.Write(p)
	if err != nil {
		err = &diskError{err}
	}
	return n, err
}

// keepCRATE reads a CRATE and stores its content, unless it is unchanged.
func (p *page) keepCRATE(r *client.Record, before []byte) (digest []byte, err error) {
	k := &crateRecord{page: p, record: r, uris: map[string]bool{}}
	var all []*blockbuffer.Buffer
	defer func() {
		for _, h := range all {
			err = errors.Join(err, p.blocks.put(h))
		}
	}()
	held := map[int]*blockbuffer.Buffer{} // by the number of the resource
	x := xmlstream.NewReader(r.Metadata(), xmlstream.Limits{})
	if _, err := x.Root(); err != nil {
		return nil, &badError{err}
	}
	k.doc, err = crate.Read(x, crate.ReadOptions{Bytes: func(d *crate.Document, _ *crate.Resource) (io.Writer, error) {
		get := p.blocks.get
		switch {
		case len(all) == maxBodies:
			return nil, fmt.Errorf("the record has more than %d resources", maxBodies)
		case len(all) >= maxQuick:
			get = p.blocks.lean
		}
		all = append(all, get())
		held[len(d.Resources)] = all[len(all)-1]
		return holding{all[len(all)-1]}, nil
	}})
	if err == nil {
		err = x.Finish()
	}
	var disk *diskError
	if errors.As(err, &disk) {
		return nil, disk.error
	}
	if err != nil {
		return nil, &badError{err}
	}
	if err := k.choose(held); err != nil {
		return nil, err
	}
	for _, b := range k.bodies {
		if b.fetched && b.held != nil {
			all = append(all, b.held)
		}
	}
	if digest = k.digest(); bytes.Equal(digest, before) {
		p.counts.Duplicates++
		return nil, nil
	}
	k.addFindings()
	return digest, p.sink.crate(k)
}

// choose selects the best bytes for each component: complete bytes in the record first, then
// referenced bytes, then incomplete bytes in the record.
func (k *crateRecord) choose(held map[int]*blockbuffer.Buffer) error {
	for first := 0; first < len(k.doc.Resources); {
		end := first + 1
		for end < len(k.doc.Resources) && k.doc.Resources[end].Component == k.doc.Resources[first].Component {
			end++
		}
		b, err := k.best(k.doc.Resources[first:end], first, held)
		if err != nil {
			return err
		}
		b.uri = k.uriOf(b.Resource)
		k.uris[b.uri] = true
		k.bodies = append(k.bodies, b)
		first = end
	}
	return nil
}

// maxRefs is the maximum number of attempted references to the same bytes. A record must not cause
// a thousand requests to other servers.
const maxRefs = 8

// best selects among the resources of one component, which are the same bits.
func (k *crateRecord) best(same []crate.Resource, first int, held map[int]*blockbuffer.Buffer) (*body, error) {
	var wrong, missing *body
	for i := range same {
		r := &same[i]
		b := &body{Resource: r, held: held[first+i], found: r.Found, problem: r.Problem}
		switch {
		case b.held != nil && r.Problem == "":
			return b, nil
		case b.held != nil && wrong == nil:
			wrong = b
		}
	}
	asked := 0
	for i := range same {
		if r := &same[i]; r.Ref != "" && asked < maxRefs {
			asked++
			b, err := k.fetch(r)
			if err != nil || b.held != nil && b.problem == "" {
				return b, err
			}
			if b.held != nil && wrong == nil {
				wrong = b
			} else if missing == nil {
				missing = b
			}
		}
	}
	return cmp.Or(wrong, missing, &body{Resource: &same[0],
		problem: cmp.Or(same[0].Problem, "the record has neither the bytes nor a reference to them")}), nil
}

// uriOf returns the URI of a component: the identifier of the component, or else of the document,
// or else of the record.
func (k *crateRecord) uriOf(r *crate.Resource) string {
	uri := cmp.Or(r.Identifier, k.doc.Identifier, k.record.Identifier)
	if k.uris[uri] { // components with the same identifier
		uri = cmp.Or(r.Ref, fmt.Sprintf("%s#component-%d", uri, r.Component))
	}
	return uri
}

// digest returns a digest of the record's content: of the stored bytes, or of the metadata without the times of
// their making if the bytes are missing.
func (k *crateRecord) digest() []byte {
	h := sha256.New()
	for _, b := range k.bodies {
		if b.held != nil {
			_, _ = fmt.Fprintf(h, "%s %s\n", b.uri, b.found.SHA256) // a hash never fails
		}
	}
	if !slices.ContainsFunc(k.bodies, func(b *body) bool { return b.held != nil }) {
		_ = k.untimed(h) // if unreadable now, treated as changed
	}
	return h.Sum(nil)[:16]
}

// addFindings counts the bodies and records the findings.
func (k *crateRecord) addFindings() {
	for _, b := range k.bodies {
		switch {
		case b.held == nil:
			k.counts.Missing++
			k.find(CodeMissing, model.Warning, k.record, b.uri+" is missing: "+b.problem)
			continue
		case b.problem != "":
			k.counts.Differing++
			k.find(CodeDiffers, model.Error, k.record, b.uri+": "+b.problem)
		}
		if b.fetched {
			k.counts.Referred++
		}
		k.counts.Resources++
		k.counts.Bytes += b.held.Size()
	}
	for _, n := range k.doc.Notices {
		k.find(CodeNotice, model.Info, k.record, fmt.Sprintf("notice of the server, %s: %s", n.Code, n.Text))
	}
	for _, p := range k.doc.Problems {
		k.find(CodeDocument, model.Warning, k.record, p)
	}
	for i := range k.doc.Results {
		k.counts.Outputs++
		k.tool(&k.doc.Results[i])
	}
}

type toolKey struct{ label, version string }

// maxTools limits the number of distinct tools. A server with a new tool in each record has no
// meaningful list.
const maxTools = 500

// tool counts the output of a tool.
func (h *harvest) tool(r *plugin.Result) {
	k := toolKey{r.Label, r.Version}
	i, known := h.tools[k]
	if !known {
		if len(h.state.Tools) == maxTools {
			return
		}
		i = len(h.state.Tools)
		h.tools[k] = i
		h.state.Tools = append(h.state.Tools, oaiharvest.Tool{Label: r.Label, Version: r.Version})
	}
	h.state.Tools[i].Outputs++
	if r.Outcome != plugin.Good {
		h.state.Tools[i].Failed++
	}
}
