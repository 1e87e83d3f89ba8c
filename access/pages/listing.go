package pages

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"quire/holdings"
)

// listed is a package in a listing.
type listed struct {
	id, title           string
	first, last, stored time.Time
	decision            holdings.Decision
	open                bool // to the public, too
}

// listings keeps the sorted packages of each class of readers, while nothing changes that decisions
// depend on, and for a minute at most: the index may grow meanwhile.
type listings struct {
	mu    sync.Mutex
	stamp any
	until time.Time
	of    map[holdings.Class][]listed
	// the sorted collections, with their ids and titles only
	collections map[holdings.Class][]listed
}

// listing returns the packages that are not hidden from a reader, by title. All languages share it.
func (s *site) listing(ctx context.Context, who holdings.Reader) ([]listed, error) {
	return s.keptListing(ctx, who, func(k *listings) map[holdings.Class][]listed { return k.of }, s.makeListing)
}

// collectionListing returns the collections that are not hidden from a reader, by title.
func (s *site) collectionListing(ctx context.Context, who holdings.Reader) ([]listed, error) {
	kept := func(k *listings) map[holdings.Class][]listed { return k.collections }
	return s.keptListing(ctx, who, kept, s.makeCollectionListing)
}

// keptListing returns a listing from those that are kept, or makes it.
func (s *site) keptListing(ctx context.Context, who holdings.Reader,
	of func(*listings) map[holdings.Class][]listed,
	makeOne func(context.Context, holdings.Reader) ([]listed, error)) ([]listed, error) {
	stamp, err := s.h.Stamp(ctx) // before any access decision
	if err != nil {
		return nil, err
	}
	if who.Packages != nil {
		return makeOne(ctx, who)
	}
	k := s.listings
	k.mu.Lock() // also while one is made: the others wait for it
	defer k.mu.Unlock()
	if now := s.Now(); k.stamp != stamp || now.After(k.until) {
		k.stamp, k.until = stamp, now.Add(time.Minute)
		k.of, k.collections = map[holdings.Class][]listed{}, map[holdings.Class][]listed{}
	}
	kept := of(k)
	if known, ok := kept[who.Class]; ok {
		return known, nil
	}
	all, err := makeOne(ctx, who)
	if err == nil {
		kept[who.Class] = all
	}
	return all, err
}

func (s *site) makeListing(ctx context.Context, who holdings.Reader) (all []listed, err error) {
	for p, err := range s.h.Packages(ctx, who) {
		if err != nil {
			return nil, err
		}
		all = append(all, listed{p.ID, p.Title, p.First, p.Last, p.Stored, p.Decision,
			p.Allowed && p.Verdict == holdings.Open})
	}
	slices.SortStableFunc(all, byTitle)
	return all, nil
}

func (s *site) makeCollectionListing(ctx context.Context, who holdings.Reader) (all []listed, err error) {
	for c, err := range s.h.Collections(ctx, who) {
		if err != nil {
			return nil, err
		}
		all = append(all, listed{id: c.ID, title: c.Title})
	}
	slices.SortStableFunc(all, byTitle)
	return all, nil
}

func byTitle(a, b listed) int {
	return strings.Compare(strings.ToLower(a.title), strings.ToLower(b.title))
}

// letters links the first title of each letter, for a list of more than one page.
func letters(all []listed, at string) (links []link) {
	if len(all) <= cardsAPage {
		return nil
	}
	last := ""
	for i, p := range all {
		r, _ := utf8.DecodeRuneInString(p.title)
		if letter := string(unicode.ToUpper(r)); letter != last && len(links) < mostLetters {
			last = letter
			links = append(links, link{letter, fromPage(at, i)})
		}
	}
	return links
}

// mostLetters limits the links to letters: titles can be in many scripts.
const mostLetters = 100
