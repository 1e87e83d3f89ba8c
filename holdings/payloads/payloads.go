// Package payloads implements the holding of preserve/dedup for a repository: the index of captures
// shows which payloads are already stored. It opens no container for that.
package payloads

import (
	"context"
	"encoding/hex"
	"errors"
	"iter"
	"os"
	"path"
	"path/filepath"

	"quire/format/warc"
	"quire/holdings/captures"
	"quire/internal/archivefs"
	"quire/internal/sqlite"
	"quire/preserve/dedup"
	"quire/repository/store"
)

// formerCache is the cache of earlier versions for data read from containers.
const formerCache = "payloads.db"

// Options of a holding. The zero value is ready to use.
type Options struct {
	Progress func(bytes int64) // called with bytes read for the index; may be nil
	Problem  func(error)       // called with rejected lines; may be nil
	DryRun   bool              // write nothing into the repository: the index is one for this time
}

// Holding is a repository as a source of originals.
type Holding struct {
	ctx   context.Context
	store *store.Store
	index *captures.Index
	temp  string // folder of a temporary index; "" if the index is in the repository
}

// Open returns the holding of an open repository, which remains the caller's: root is its folder.
// It updates the index of captures there; without write permission, it builds a temporary one.
func Open(ctx context.Context, s *store.Store, root string, o Options) (*Holding, error) {
	h := &Holding{ctx: ctx, store: s}
	dir := filepath.Join(root, "access", captures.DirName)
	var err error
	if !o.DryRun {
		err = h.open(dir, o)
	}
	if o.DryRun || captures.Unwritable(err) {
		err = h.Close()
		if err == nil {
			h.temp, err = captures.Shadow(dir)
		}
		if err == nil {
			err = h.open(filepath.Join(h.temp, captures.DirName), o)
		}
	}
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	if o.DryRun {
		return h, nil
	}
	_ = sqlite.Remove(filepath.Join(root, formerCache)) // no longer used
	return h, nil
}

func (h *Holding) open(dir string, o Options) (err error) {
	if h.index, err = captures.Open(dir, captures.Options{}); err != nil {
		return err
	}
	return h.index.Update(h.ctx, h.store, captures.Full, o.Progress, o.Problem)
}

// Containers implements dedup.Holding: it yields the containers of the newest version of each
// package.
func (h *Holding) Containers(ctx context.Context) iter.Seq2[dedup.Held, error] {
	return func(yield func(dedup.Held, error) bool) {
		all, err := h.index.Containers(ctx, "")
		if err != nil {
			yield(dedup.Held{}, err)
			return
		}
		for _, c := range all {
			if !yield(dedup.Held{Path: dedup.InPackage(c.Package, c.Path), Name: path.Base(c.Path)}, nil) {
				return
			}
		}
	}
}

// Open implements dedup.Holding.
func (h *Holding) Open(where string) (archivefs.Content, error) {
	id, path, _ := dedup.CutPackage(where)
	return h.store.OpenContent(h.ctx, id, path)
}

// Records implements dedup.Recorder.
func (h *Holding) Records(ctx context.Context, w dedup.Wanted) iter.Seq2[dedup.Recorded, error] {
	return func(yield func(dedup.Recorded, error) bool) {
		for _, found := range h.find(ctx, w) {
			for c, err := range found {
				if err != nil {
					yield(dedup.Recorded{}, err)
					return
				}
				r, ok := recorded(c)
				if ok && (w.Container == "" || w.Container == r.Path) && !yield(r, nil) {
					return
				}
			}
		}
	}
}

// find queries the index.
func (h *Holding) find(ctx context.Context, w dedup.Wanted) []iter.Seq2[*captures.Capture, error] {
	switch {
	case w.Body != nil:
		return []iter.Seq2[*captures.Capture, error]{h.index.Bodies(ctx, w.Body)}
	case w.SHA1 != nil:
		return []iter.Seq2[*captures.Capture, error]{h.index.Holders(ctx, warc.FormatDigest("sha1", w.SHA1))}
	}
	id, _, _ := dedup.CutPackage(w.Container)
	q := captures.Query{Packages: []string{id}}
	unlisted := q
	unlisted.Unlisted = true
	return []iter.Seq2[*captures.Capture, error]{h.index.Captures(ctx, q), h.index.Captures(ctx, unlisted)}
}

// recorded converts a capture for dedup; ok is false if its record has no content.
func recorded(c *captures.Capture) (r dedup.Recorded, ok bool) {
	if c.Type != warc.TypeResponse && c.Type != warc.TypeResource {
		return r, false
	}
	r = dedup.Recorded{Path: dedup.InPackage(c.Package, c.Record.Container), URI: c.URL, ID: c.ID, Date: c.Date,
		Offset:   c.Record.Offset,
		Inflated: c.Record.Inflated, Stored: c.Record.Stored, Head: c.Record.Head, Flaw: c.Flaw}
	p := &r.Payload
	p.BodyLength, p.Framed, p.Length = c.Record.Body, c.Chunked, c.Length
	body, err := hex.DecodeString(c.Record.SHA256)
	if err != nil || copy(p.Body[:], body) != len(p.Body) || len(c.Digests) < 2 {
		return r, false
	}
	for i, to := range [][]byte{p.SHA1[:], p.SHA256[:]} { // the computed digests come first
		d, err := warc.ParseDigest(c.Digests[i])
		if err != nil || copy(to, d.Sum) != len(to) {
			return r, false
		}
	}
	return r, true
}

// Close implements dedup.Holding. The repository stays open.
func (h *Holding) Close() error {
	var err error
	if h.index != nil {
		err = h.index.Close()
	}
	if h.temp != "" {
		err = errors.Join(err, os.RemoveAll(h.temp))
	}
	return err
}

var _ dedup.Recorder = (*Holding)(nil)
