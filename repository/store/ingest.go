package store

import (
	"context"
	"fmt"
	"time"

	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// IngestOptions control how a package is stored.
type IngestOptions struct {
	// store a package as the next version if its id exists with different content
	NewVersion bool
	// Validate checks the package folder before it is stored; its error ends the ingest. A repository
	// may require it: see [Rules]. nil checks only that the files are as the METS says.
	Validate func(ctx context.Context, packageDir string) error
	Message  string         // reason, for the inventory; default "Stored as received"
	User     ocfl.User      // default: By, or the program and the repository. Address should be a URI
	By       string         // the person responsible, for the event; "" for none
	Progress func(Progress) // called now and then, never concurrently

	// EndsJob says that this ingest is all of the job in [Options.Job]: the job ends with the record of the package.
	EndsJob bool

	// Again stores a package that was purged. Its purge must be complete in every copy.
	Again bool

	present bool // see [Change]
	base    *int // the version that the change is made from, see [Change.Base]; nil means any
}

// Receipt confirms that a package was written to every copy that it lists, synced, read back and
// matched.
type Receipt struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Version int    `json:"version"`
	// the same content was already there, and every copy was read and matched
	AlreadyStored bool        `json:"already_stored"`
	Files         int64       `json:"files"`
	Bytes         int64       `json:"bytes"`
	NewBytes      int64       `json:"new_bytes"` // written to each copy; excludes content already there
	METS          string      `json:"mets"`      // path within the package
	Object        string      `json:"object"`    // path below each storage root
	Inventory     string      `json:"inventory"` // SHA-512 of the root inventory.json
	Copies        []CopyPlace `json:"copies"`    // that have the package, with the object's folder in each
	Owed          []string    `json:"owed"`      // copies that lack it: a repair brings it
}

// Ingest stores a package folder. When it returns a receipt, every copy of the receipt has the
// package: all copies, unless the repository requires fewer ([Rules]). When it
// returns an error, no copy has any part of it, with one exception: a disk can fail while the
// package moves into place. The error is then an [*UnplacedError]; the package is not confirmed, and
// the next Open finishes the ingest.
func (s *Store) Ingest(ctx context.Context, packageDir string, o IngestOptions) (Receipt, error) {
	if err := s.Writable(); err != nil {
		return Receipt{}, err
	}
	if err := s.validate(ctx, packageDir, o); err != nil {
		return Receipt{}, err
	}
	v, err := s.newSurvey(ctx, packageDir)
	if err != nil {
		return Receipt{}, err
	}
	return s.ingestLocked(ctx, s.newIngest(v, o))
}

// ingestLocked locks the object, and stores its new version.
func (s *Store) ingestLocked(ctx context.Context, in *ingest) (Receipt, error) {
	id := in.survey.pkg.ID
	// admit may write a document. That takes locks of its own, so it comes before those of the object.
	if in.mayBePurged() {
		if err := in.admit(ctx, false); err != nil {
			return Receipt{}, err
		}
	}
	l, err := s.lockWriter(ctx, in.key, "package "+id, "ingest")
	if err != nil {
		return Receipt{}, err
	}
	defer l.release()
	if err := s.settle(ctx, in.key); err != nil {
		return Receipt{}, fmt.Errorf("finishing an interrupted change of %s: %w", id, err)
	}
	if in.mayBePurged() {
		if err := s.purged(ctx, id); err != nil { // a purge may have been approved since
			return Receipt{}, err
		}
	}
	in.far = s.farPresent()
	if in.present = s.present(); !in.options.present || len(in.present) == 0 {
		if err := s.enoughPresent(); err != nil {
			return Receipt{}, err
		}
	}
	release, err := s.hold(in.present)
	if err != nil {
		return Receipt{}, err
	}
	defer release()
	return in.run(ctx)
}

// mayBePurged reports whether the document of purges decides on the object. It decides on packages only, so a
// withdrawal is possible while that document is damaged. A new version of that document itself is not.
func (in *ingest) mayBePurged() bool {
	name, document := catalogue.DocumentName(in.journal.Object)
	return !document || name == PurgesDocument
}

func (s *Store) newIngest(v *survey, o IngestOptions) *ingest {
	return s.ingestOf(objectID(v.pkg.ID), v, o)
}

// ingestOf returns the ingest of a package or document into the object with an id.
func (s *Store) ingestOf(id string, v *survey, o IngestOptions) *ingest {
	in := &ingest{store: s, survey: v, options: o, key: objectKey(id), path: ocfl.ObjectPath(id)}
	in.journal = journal{Format: 1, Kind: kindIngest, State: begun, Tx: newToken(), Package: v.pkg.ID, Object: id,
		Path: in.path, Version: 1, Started: time.Now().UTC(), By: newHolder("ingest")}
	return in
}

// ingest is one package during its ingest. Its object is locked.
type ingest struct {
	store    *Store
	survey   *survey
	options  IngestOptions
	key      string
	path     string
	journal  journal
	present  []*copyFolder
	far      []*copyFolder // far copies that answer: they get the package after the decision
	targets  []*copyFolder // of those present, the copies that get the package
	owed     []*copyFolder // the other copies of the repository
	previous *object       // from the first target; nil for a new package
	keep     []bool        // for each file of the survey: whether the copies get it
	newBytes int64
	text     []byte // of the inventory
	leaves   *leaves

	dry          bool         // nothing is written
	planned      *plannedHead // in a plan: the object after the packages before; nil without
	plannedBytes int64        // in a plan: the need of the packages before
}

func (in *ingest) run(ctx context.Context) (Receipt, error) {
	if r, err := in.begin(ctx); r.AlreadyStored || err != nil {
		return r, err
	}
	if err := in.prepare(ctx); err != nil {
		return Receipt{}, in.store.undo(in.key, &in.journal, err)
	}
	if err := in.finish(context.WithoutCancel(ctx)); err != nil {
		return Receipt{}, &UnplacedError{ID: in.survey.pkg.ID, Err: err}
	}
	if _, err := in.bringFar(ctx); err != nil {
		return Receipt{}, err
	}
	return in.receipt(), nil
}

// begin checks whether the package may be stored and whether there is enough room. It decides which
// files are written into the copies. It returns the receipt of a package that is already stored, or
// else an empty receipt. It writes nothing.
func (in *ingest) begin(ctx context.Context) (Receipt, error) {
	if in.planned != nil {
		if r, err := in.afterPlanned(ctx); r.AlreadyStored || err != nil {
			return r, err
		}
	} else if err := in.findPrevious(ctx); err != nil {
		return Receipt{}, err
	}
	if err := in.based(); err != nil {
		return Receipt{}, err
	}
	if in.previous != nil {
		differs := in.differs(in.previous.state(in.previous.inventory.Head))
		if differs == "" {
			return in.alreadyStored(ctx)
		}
		if !in.options.NewVersion {
			return Receipt{}, &ConflictError{ID: in.survey.pkg.ID, Head: in.previous.head(), Differs: differs}
		}
	}
	in.plan()
	if err := copiesWritable(in.targets); err != nil {
		return Receipt{}, err
	}
	return Receipt{}, checkSpace(in.targets, in.plannedBytes+in.needed())
}

// needed returns the bytes that the package needs in each copy, with room for the names of its files.
func (in *ingest) needed() int64 { return in.newBytes + int64(len(in.survey.files))*4096 }

// plan selects the files to write into the copies. It omits files with bytes that the object
// already has, and keeps one of equal files (forward delta, OCFL 1.1 clause 3.5.2).
func (in *ingest) plan() {
	have := in.stored()
	in.keep = make([]bool, len(in.survey.files))
	for i, f := range in.survey.files {
		if f.stated != "" && have[f.stated] {
			continue
		}
		have[f.stated] = true
		in.keep[i] = true
		in.newBytes += f.size
	}
}

// prepare runs all steps up to the commit, and commits. After an error, no part of the package is
// in place.
func (in *ingest) prepare(ctx context.Context) error {
	s := in.store
	in.journal.Copies = names(in.targets)
	if err := s.writeJournal(in.key, &in.journal); err != nil {
		return err
	}
	if err := in.makeStaging(); err != nil {
		return err
	}
	if err := in.stage(ctx, in.targets); err != nil {
		return err
	}
	if err := in.writeInventories(); err != nil {
		return err
	}
	if err := in.matchCopies(ctx); err != nil {
		return err
	}
	if err := in.checkStagedMETS(); err != nil {
		return err
	}
	if err := in.writeEvents(ctx); err != nil {
		return err
	}
	for _, c := range in.targets {
		if err := s.syncTree(c.staging(in.journal.Tx)); err != nil {
			return fmt.Errorf("syncing copy %s: %w", c.name, err)
		}
	}
	if err := in.samePrevious(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.commit(ctx, in.key, &in.journal, in.leaves)
}

// stage reads the package once, writes it to the given copies, and compares it with the digests
// that its METS states.
func (in *ingest) stage(ctx context.Context, copies []*copyFolder) error {
	meter := newMeter(in.options.Progress, Copying, in.survey.bytes)
	job := &stageJob{survey: in.survey, keep: in.keep, disk: in.store.disk, advance: meter.add}
	for _, c := range copies {
		job.folders = append(job.folders, in.contentFolder(c))
	}
	if err := job.stage(ctx); err != nil {
		return err
	}
	var wrong problems
	for _, f := range in.survey.files {
		if f.stated != "" && f.found != f.stated {
			wrong.add(f.path, "has SHA-512 %s; %s says %s", f.found, in.survey.pkg.METS, f.stated)
		}
	}
	return wrong.err(in.survey.dir)
}

// finish moves everything into place. After the commit, recovery can only go forward.
func (in *ingest) finish(ctx context.Context) error {
	return in.store.rollForward(in.endingJob(ctx), in.key, &in.journal)
}

func (in *ingest) receipt() Receipt {
	r := Receipt{
		ID: in.survey.pkg.ID, Title: in.survey.pkg.Title, Version: in.journal.Version,
		Files: int64(len(in.survey.files)),
		Bytes: in.survey.bytes, NewBytes: in.newBytes, METS: in.survey.pkg.METS, Object: in.path,
		Inventory: in.journal.Inventory, Owed: names(in.owed),
	}
	for _, c := range in.targets {
		r.Copies = append(r.Copies, CopyPlace{Name: c.name, Path: c.object(in.path)})
	}
	return r
}
