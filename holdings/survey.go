package holdings

import (
	"context"
	"iter"
	"time"

	"quire/holdings/facts"
	"quire/holdings/outline"
	"quire/holdings/rights"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// Surveyed is a package or collection as a survey sees it.
type Surveyed struct {
	catalogue.Package
	Public Decision // on its most open part, for the public
	// Parts reports that some of its content has another decision: by a statement on some URLs, or
	// because a container is closed or infected.
	Parts  bool
	Stated bool // it, or a collection of it, has a rights statement on the whole
	In     []Membership
	Facts  *facts.Facts // with the sums of containers; nil if the METS cannot be read

	Trouble error // why its METS, or the sums of a container in it, cannot be read
}

// Survey holds the result of [Holdings.Survey] and the rules that it used.
type Survey struct {
	Rules    *rights.Set // those of the file and of the repository together
	Problems []error     // of the rules
	File     string      // the rules file, if it has rules: the copies do not keep it
	All      iter.Seq2[*Surveyed, error]
}

// NewSurvey prepares to read the METS of every package and collection, and to decide who may see each, as
// [Holdings] does. It reads each METS once. Unlike Holdings, it keeps only the collections in memory. The
// sequence yields collections first, then packages, each sorted by id. An error is its last value.
func NewSurvey(ctx context.Context, s *store.Store, o Options) (*Survey, error) {
	o = o.filled()
	h := &Holdings{store: s, options: o, packages: map[string]*pkg{}, infected: newInfected(),
		members: map[string][]membership{}, loose: map[string]string{}, shared: rights.NewShared(o.Unstated)}
	out := &Survey{}
	var err error
	h.rules, err = rights.Follow(o.rulesFile(s), rights.Options{Location: o.Location, Optional: o.Rules == "",
		Kept: (&keptRules{store: s}).now})
	if err != nil {
		return nil, err
	}
	out.Rules, out.File = h.rules.Now(), h.rules.File()
	if err := h.rules.Err(); err != nil {
		out.Problems = append(out.Problems, err)
	}
	out.All = func(yield func(*Surveyed, error) bool) {
		for _, collections := range []bool{true, false} {
			for card, err := range s.Packages(ctx) {
				if err == nil && card.IsCollection() != collections {
					continue
				}
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					yield(nil, err)
					return
				}
				if !yield(h.survey(ctx, card), nil) {
					return
				}
			}
		}
	}
	return out, nil
}

// filled returns the options with their defaults.
func (o Options) filled() Options {
	if o.Unstated == "" {
		o.Unstated = Restricted
	}
	if o.Location == nil {
		o.Location = time.Local
	}
	if o.Wait == 0 {
		o.Wait = DefaultWait
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// survey reads one package or collection, and forgets a package again.
func (h *Holdings) survey(ctx context.Context, card catalogue.Package) *Surveyed {
	p, d, err := h.readPackage(ctx, card.ID, facts.LoadSums)
	var o *outline.Outline
	if err == nil {
		o, err = h.outline(d)
	}
	p.card = cardOf(&card)
	h.put(p, o, d, err)
	if card.IsCollection() {
		h.recollect()
	}
	j := h.judging()
	public := Reader{Class: Public}
	kept, seen := j.whole(&public, card.ID)
	out := &Surveyed{Package: card, Public: seen, Trouble: err}
	for _, m := range kept.of() {
		out.In = append(out.In, Membership{m.id, m.title})
	}
	if err == nil {
		out.Facts, out.Trouble = d.Facts, d.Unsummed
		out.Parts = kept.zones.Parts() || kept.special() || j.hides(kept)
		out.Stated = kept.zones.On("", 0, j.Today()).Known
	}
	if card.IsCollection() {
		return out
	}
	delete(h.packages, card.ID)
	if kept.dangerous() {
		h.infected = newInfected() // each package is decided as a whole, without the others' infections
	}
	return out
}
