package holdings

import (
	"cmp"
	"context"
	"path/filepath"
	"sync"
	"time"

	"quire/holdings/captures"
	"quire/holdings/follow"
	"quire/holdings/rights"
	"quire/repository/store"
	"quire/repository/stored"
)

// RulesName is the file of rules of a repository, in the folder of its indexes: whoever opens that
// asks it, unless told of another.
const RulesName = "rules.yaml"

// accessFolder is the folder of a repository for what is made for its readers, and for the rules.
const accessFolder = "access"

// Options say where things are kept, and how strict the house is.
type Options struct {
	// of the index of captures; made when it is not there. The access folder of the repository when
	// it is "" (store.Derived)
	Dir string
	// path of the file of rules (docs/reference/530_access-rules.md); when it is "", RulesName in
	// Dir or that access folder, if it is there
	Rules    string
	Unstated Verdict        // on what nobody says anything of; [Restricted] when it is ""
	Location *time.Location // of the days of rights and rules; time.Local when it is nil
	// how long a question waits for packages that came just before it; [DefaultWait] when it is 0
	Wait     time.Duration
	Now      func() time.Time // for tests; time.Now when it is nil
	Problem  func(error)      // told what went wrong behind the scenes, from any goroutine; may be nil
	Progress func(Progress)   // told of what is read, from another goroutine; may be nil
}

// DefaultWait is how long a question waits for the METS of packages that came since the last. Their
// content is there when it was read.
const DefaultWait = 10 * time.Second

// Progress tells how far the holdings have come with what they had to read.
type Progress = follow.Progress

// Holdings is a repository as its readers may see it. It is used from many goroutines.
type Holdings struct {
	store   *store.Store
	options Options
	index   *captures.Index
	rules   *rights.Live
	copies  stored.Copies

	follower *follow.Follower
	more     chan struct{} // wakes that which reads containers

	telling sync.Mutex // held while progress is told

	mu       sync.RWMutex
	packages map[string]*pkg // by id, and collections too
	infected infected
	members  map[string][]membership // the collections that name a package
	loose    map[string]string       // of these, one that cannot be read
	order    []string                // ids of packages and collections, sorted
	// a collection that could never be read, so that nobody knows whom it would bind; "" when there
	// is none
	unread  string
	vouched map[vouched]struct{} // payloads of other packages that revisits stand for
	// changes whenever something does that judgement depends on, but for rules and time
	turn    int64
	indexed int64 // the look at the catalogue up to which all that can be is in the index, too
	follows []*follower
}

// Of begins to follow a repository, which stays the caller's. What has to be read is read while
// questions are answered: see [Holdings.Ready]. A file of rules with an error is one.
func Of(ctx context.Context, s *store.Store, o Options) (_ *Holdings, err error) {
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
	h := &Holdings{store: s, options: o, packages: map[string]*pkg{}, infected: newInfected(),
		more: make(chan struct{}, 1)}
	h.follower = follow.New(s, &h.mu, h.problem)
	h.copies = stored.Copies{Store: s, Problem: h.problem}
	file := cmp.Or(o.Rules, filepath.Join(cmp.Or(o.Dir, s.Folder(accessFolder)), RulesName))
	if o.Dir == "" {
		if o.Dir, err = s.Derived(accessFolder); err != nil {
			return nil, err
		}
		h.options.Dir = o.Dir
	}
	if h.rules, err = rights.Follow(file,
		rights.Options{Problem: h.problem, Location: o.Location, Optional: o.Rules == ""}); err != nil {
		return nil, err
	}
	if h.index, err = captures.Open(filepath.Join(o.Dir, captures.DirName), captures.Options{}); err != nil {
		return nil, err
	}
	h.follower.Start(ctx, h.look, follow.Task{Wake: h.more, Work: h.stock})
	return h, nil
}

// Dir is the folder of what is made for readers ([Options]).
func (h *Holdings) Dir() string { return h.options.Dir }

// Close stops following. The repository stays open.
func (h *Holdings) Close() error {
	h.follower.Close()
	return h.index.Close()
}

func (h *Holdings) problem(err error) {
	if h.options.Problem != nil && err != nil {
		h.options.Problem(err)
	}
}
