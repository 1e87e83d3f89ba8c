package holdings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"quire/holdings/captures"
	"quire/holdings/follow"
	"quire/holdings/outline"
	"quire/holdings/rights"
	"quire/repository/store"
	"quire/repository/stored"
)

// RulesName is the rules file of a repository, in the folder of its indexes: it is the default
// rules file.
const RulesName = "rules.yaml"

// accessFolder is the folder of a repository for derived access data and rules.
const accessFolder = "access"

// Options sets paths and defaults of access.
type Options struct {
	// folder of the index of captures; created if missing. "" means the access folder of the
	// repository (store.Derived)
	Dir string
	// for dry runs: use a temporary folder in place of Dir; Close removes it. From Dir only the
	// index of captures and the outlines of packages are read
	DryRun bool
	// path of the rules file (docs/reference/530_access-rules.md); "" means RulesName in Dir or
	// that access folder, if it exists
	Rules    string
	Unstated Verdict        // without a rights statement; "" means [Restricted]
	Location *time.Location // for dates in rights and rules; nil means time.Local
	// maximum wait of a query for packages that have just arrived; 0 means [DefaultWait]
	Wait     time.Duration
	Now      func() time.Time // for tests; nil means time.Now
	Problem  func(error)      // called with background errors, from any goroutine; may be nil
	Progress func(Progress)   // called with progress, from another goroutine; may be nil
}

// DefaultWait is the maximum wait of a query for the METS of new packages. Their captures appear
// after indexing.
const DefaultWait = 10 * time.Second

// Progress is the progress of reading new packages.
type Progress = follow.Progress

// Holdings is a repository as its readers may see it. It is safe for concurrent use.
type Holdings struct {
	store   *store.Store
	options Options
	index   *captures.Index
	rules   *rights.Live
	copies  stored.Copies

	temp     string // folder of a dry run; "" of others
	from     string // for a dry run: the folder that it reads
	follower *follow.Follower
	more     chan struct{} // wakes the goroutine that reads containers

	telling sync.Mutex // held while reporting progress

	overviews overviews

	pointsTurn  time.Duration                        // see there
	pointsPause func(context.Context, time.Duration) // sleep; another in tests

	mu       sync.RWMutex
	packages map[string]*pkg // by id, including collections
	infected infected
	members  map[string][]membership // the collections of a package
	loose    map[string]string       // an unreadable one among these
	order    []string                // ids of packages and collections, sorted
	shared   *rights.Shared          // the statements of all packages, equal ones once
	outlines *outline.File           // the outlines of the METS that were read
	recent   recent                  // the details of packages that were used last
	// a collection that was never readable, with unknown members; "" for none
	unread  string
	vouched map[verifiedPayload]struct{} // verified original payloads of revisits in other packages
	// changes with everything that affects decisions, except rules and time
	turn    int64
	indexed int64 // latest check of the repository after which all packages were indexed
	follows []*follower
}

// Of starts to follow a repository, which remains the caller's. It answers queries while it reads
// new packages: see [Holdings.Ready]. An invalid rules file is an error.
func Of(ctx context.Context, s *store.Store, o Options) (_ *Holdings, err error) {
	o = o.filled()
	h := &Holdings{store: s, options: o, packages: map[string]*pkg{}, infected: newInfected(),
		shared: rights.NewShared(o.Unstated), more: make(chan struct{}, 1), pointsTurn: pointsTurn, pointsPause: sleep}
	h.follower = follow.New(s, &h.mu, h.problem)
	h.copies = stored.Copies{Store: s, Problem: h.problem}
	file := o.rulesFile(s)
	if err := h.findFolder(); err != nil {
		return nil, err
	}
	if err := h.openFiles(ctx, file); err != nil {
		return nil, errors.Join(err, h.dropFolder())
	}
	h.follower.Start(ctx, h.look, follow.Task{Wake: h.more, Work: h.stock})
	return h, nil
}

// rulesFile returns the path of the rules file, which need not exist.
func (o *Options) rulesFile(s *store.Store) string {
	return cmp.Or(o.Rules, filepath.Join(cmp.Or(o.Dir, s.Folder(accessFolder)), RulesName))
}

// findFolder sets the folder of the data derived for readers.
func (h *Holdings) findFolder() (err error) {
	o := &h.options
	switch {
	case o.DryRun:
		h.from = cmp.Or(o.Dir, h.store.Folder(accessFolder))
		h.temp, err = captures.Shadow(filepath.Join(h.from, captures.DirName))
		o.Dir = h.temp
	case o.Dir == "":
		o.Dir, err = h.store.Derived(accessFolder)
	}
	return err
}

// dropFolder removes the folder of a dry run.
func (h *Holdings) dropFolder() error {
	if h.temp == "" {
		return nil
	}
	return os.RemoveAll(h.temp)
}

func (h *Holdings) openFiles(ctx context.Context, rules string) (err error) {
	o := &h.options
	if h.rules, err = rights.Follow(rules,
		rights.Options{Problem: h.problem, Location: o.Location, Optional: o.Rules == "",
			Kept: (&keptRules{store: h.store}).now}); err != nil {
		return err
	}
	if h.index, err = captures.Open(filepath.Join(o.Dir, captures.DirName), captures.Options{}); err != nil {
		return err
	}
	dir, open := o.Dir, outline.Open
	if o.DryRun {
		dir, open = h.from, outline.OpenReadOnly
	}
	if h.outlines, err = open(ctx, dir); err != nil {
		err = errors.Join(fmt.Errorf("%s: %w", filepath.Join(dir, outline.FileName), err), h.index.Close())
	}
	return err
}

// Dir returns the folder of derived access data ([Options]).
func (h *Holdings) Dir() string { return h.options.Dir }

// Close ends following. The repository stays open.
func (h *Holdings) Close() error {
	h.follower.Close()
	return errors.Join(h.index.Close(), h.outlines.Close(), h.dropFolder())
}

func (h *Holdings) problem(err error) {
	if h.options.Problem != nil && err != nil {
		h.options.Problem(err)
	}
}
