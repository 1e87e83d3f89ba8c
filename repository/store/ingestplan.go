package store

import (
	"context"
	"errors"
	"maps"
)

// IngestPlan reports the effects of several ingests, one after another, and writes nothing. It judges
// each package against the repository as the packages before it would leave it.
type IngestPlan struct {
	store *Store
	heads map[string]*plannedHead // by the key of the object
	bytes int64                   // that the packages so far need in each copy
}

// plannedHead is the newest version of an object after the planned ingests.
type plannedHead struct {
	version int
	state   map[string]string // the digest of each file
	have    map[string]bool   // digests in all versions
}

// PlanIngests returns a plan without packages.
func (s *Store) PlanIngests() *IngestPlan {
	return &IngestPlan{store: s, heads: map[string]*plannedHead{}}
}

// PlanIngest reports the effect of one [Store.Ingest], as [IngestPlan.Add] does.
func (s *Store) PlanIngest(ctx context.Context, packageDir string, o IngestOptions) (Receipt, error) {
	return s.PlanIngests().Add(ctx, packageDir, o)
}

// Add reports the effect of [Store.Ingest] after the packages added before. It reads everything that
// Ingest reads. It verifies the package against the package's own METS. If the package is already
// stored, it also verifies the package in every copy. The receipt of a package that is not stored yet
// has neither an inventory nor its digest, because the inventory does not exist yet.
func (p *IngestPlan) Add(ctx context.Context, packageDir string, o IngestOptions) (Receipt, error) {
	s := p.store
	if err := s.validate(ctx, packageDir, o); err != nil {
		return Receipt{}, err
	}
	v, err := s.newSurvey(ctx, packageDir)
	if err != nil {
		return Receipt{}, err
	}
	in := s.newIngest(v, o)
	in.dry = true
	l, err := s.waitRead(ctx, in.journal.Object)
	if err != nil {
		return Receipt{}, err
	}
	defer l.release()
	if err := errors.Join(s.enoughPresent(), s.WouldWrite()); err != nil {
		return Receipt{}, err
	}
	if err := in.admit(ctx, true); err != nil {
		return Receipt{}, err
	}
	in.present, in.far = s.present(), s.farPresent()
	in.planned, in.plannedBytes = p.heads[in.key], p.bytes
	if r, err := in.begin(ctx); r.AlreadyStored || err != nil {
		return r, err
	}
	if err := in.stage(ctx, nil); err != nil {
		return Receipt{}, err
	}
	p.heads[in.key] = in.head()
	p.bytes += in.needed()
	return in.receipt(), nil
}

// head returns the newest version of the object after the ingest of a staged package.
func (in *ingest) head() *plannedHead {
	h := &plannedHead{version: in.journal.Version, state: map[string]string{}, have: in.stored()}
	for _, f := range in.survey.files {
		h.state[f.path] = f.found
		h.have[f.found] = true
	}
	return h
}

// stored returns the digests of the content that the object has, or would have by now.
func (in *ingest) stored() map[string]bool {
	have := map[string]bool{}
	switch {
	case in.planned != nil:
		maps.Copy(have, in.planned.have)
	case in.previous != nil:
		for digest := range in.previous.content() {
			have[digest] = true
		}
	}
	return have
}

// afterPlanned is begin for a package whose id an earlier package of the plan has.
func (in *ingest) afterPlanned(ctx context.Context) (Receipt, error) {
	in.targets, in.owed = in.present, in.store.without(in.present)
	in.journal.Version = in.planned.version + 1
	differs := in.differs(maps.Clone(in.planned.state))
	switch {
	case differs == "":
		in.keep = make([]bool, len(in.survey.files))
		if err := in.stage(ctx, nil); err != nil {
			return Receipt{}, err
		}
		r := in.receipt()
		r.AlreadyStored, r.Version = true, in.planned.version
		return r, nil
	case !in.options.NewVersion:
		return Receipt{}, &ConflictError{ID: in.survey.pkg.ID, Head: in.planned.version, Differs: differs}
	}
	return Receipt{}, nil
}
