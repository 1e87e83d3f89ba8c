// Package payloads tells which payloads a repository has stored, so that they need not be stored again: it is the repository as a
// holding of preserve/dedup.
//
//	stored := payloads.Open(ctx, s, "repo/payloads.db")
//	report, err := dedup.Run(ctx, "harvest", dedup.Options{Against: []dedup.Holding{stored}, ...})
//
// Each container is read once, and what was read stays in the file that is named: a cache, made again when it is lost, and brought
// up to date with every use, by the SHA-512 that the catalogue has of each container.
package payloads

import (
	"context"
	"iter"
	"path"
	"strings"

	"quire/internal/archivefs"
	"quire/preserve/aip"
	"quire/preserve/dedup"
	"quire/repository/store"
)

// CacheName is what the cache is called in the folder of a repository.
const CacheName = "payloads.db"

// Holding is a repository as a place where originals are.
type Holding struct {
	ctx   context.Context
	store *store.Store
	cache string
}

// Open makes a holding of an open repository, which stays the caller's. The cache is made when it is not there.
func Open(ctx context.Context, s *store.Store, cache string) *Holding {
	return &Holding{ctx: ctx, store: s, cache: cache}
}

// Containers implements dedup.Holding: those of the newest version of each package.
func (h *Holding) Containers(ctx context.Context) iter.Seq2[dedup.Held, error] {
	return func(yield func(dedup.Held, error) bool) {
		for e, err := range h.store.List(ctx) {
			if err != nil {
				yield(dedup.Held{}, err)
				return
			}
			files, err := h.store.Contents(ctx, e.ID)
			if err != nil {
				yield(dedup.Held{}, err)
				return
			}
			for _, f := range files {
				if f.Use != aip.UseContainers {
					continue
				}
				if !yield(dedup.Held{Path: joined(e.ID, f.Path), Name: path.Base(f.Path), State: f.SHA512}, nil) {
					return
				}
			}
		}
	}
}

// between stands between the id of a package and a path in it: in neither.
const between = "\x00"

func joined(id, path string) string { return id + between + path }

// Open implements dedup.Holding.
func (h *Holding) Open(where string) (archivefs.Content, error) {
	id, path, _ := strings.Cut(where, between)
	return h.store.OpenContent(h.ctx, id, path)
}

// Cache implements dedup.Holding.
func (h *Holding) Cache() string { return h.cache }

// Close implements dedup.Holding. The repository stays open.
func (h *Holding) Close() error { return nil }

var _ dedup.Holding = (*Holding)(nil)
