package site

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"quire/oai/protocol"
)

// Site is a website and its index: a resource.Collection. It is used from many goroutines.
type Site struct {
	opt     Options
	find    Find // with defaults
	index   *index
	asker   asker
	urls    *urls
	folder  *os.Root // nil when there is none
	hostSet string

	scanning sync.Mutex // one scan at a time
	stop     context.CancelFunc
	ended    sync.WaitGroup
	wake     chan struct{}

	mu     sync.Mutex
	status Status
	took   time.Duration // by the last scan
	began  time.Time     // of the last scan that came to its end
	ready  bool          // the first scan has come to its end
	turn   chan struct{} // closed when a scan comes to its end, then another
}

// Status tells how far the index is.
type Status struct {
	// the site was seen once, whole: before, lists would lack what is not seen yet
	Ready     bool      `json:"ready"`
	Scanning  bool      `json:"scanning"`  // it is being looked at
	Found     int64     `json:"found"`     // by the scan that runs or ran last: resources that it came across
	Resources int64     `json:"resources"` // records, those of deleted resources not among them
	Deleted   int64     `json:"deleted"`   // records of resources that have gone
	Scanned   time.Time `json:"scanned"`   // when the last scan came to its end; zero when none did in this process
	// that scan could read all that it wanted; when it could not, what it did not find is not taken
	// for gone
	Complete bool `json:"complete"`
}

// New opens the index of a site, and begins to look at it. The caller closes it.
func New(o Options) (*Site, error) {
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	s := &Site{opt: o, find: o.Find, wake: make(chan struct{}, 1), turn: make(chan struct{})}
	if err := s.prepare(); err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	var err error
	if s.index, err = openIndex(ctx, o.State); err == nil {
		s.ready, err = s.seen(ctx)
	}
	if err != nil {
		stop()
		return nil, fmt.Errorf("site: %w", err)
	}
	s.ended.Go(func() { s.watch(ctx) })
	return s, nil
}

// prepare fills in what the options leave open.
func (s *Site) prepare() (err error) {
	f := &s.find
	if f.Every == 0 {
		f.Every = DefaultEvery
	}
	if f.Recheck == 0 {
		f.Recheck = DefaultRecheck
	}
	if f.Limit == 0 {
		f.Limit = DefaultLimit
	}
	if s.opt.Visitors == nil {
		s.opt.Visitors = &Visitors{}
	}
	if s.urls, err = newURLs(&s.opt); err != nil {
		return err
	}
	root, err := url.Parse(s.urls.root)
	if err != nil {
		return err
	}
	s.hostSet = protocol.HostSet(root.Host)
	s.asker = asker{next: s.opt.Next, visitors: s.opt.Visitors, strip: strings.TrimSuffix(s.opt.Strip, "/"),
		wait: maxWait}
	if s.opt.Folder != "" {
		if s.folder, err = os.OpenRoot(s.opt.Folder); err != nil {
			return err
		}
	}
	return nil
}

// seen says whether the site of this root was seen whole in an earlier run.
func (s *Site) seen(ctx context.Context) (bool, error) {
	at, err := s.index.fact(ctx, "seen "+s.urls.root)
	return at > 0, err
}

// Close ends the looking. The index stays, and is there at the next start.
func (s *Site) Close() error {
	s.stop()
	s.ended.Wait()
	if s.folder != nil {
		_ = s.folder.Close() // it was only read
	}
	return s.index.close()
}

// Status tells how far the index is.
func (s *Site) Status(ctx context.Context) (Status, error) {
	s.mu.Lock()
	st := s.status
	st.Ready = s.ready
	s.mu.Unlock()
	err := s.index.db.QueryRowContext(ctx,
		"SELECT coalesce((SELECT n FROM member WHERE spec = ''), 0), (SELECT count(*) FROM resource WHERE deleted = "+
			"1)").
		Scan(&st.Resources, &st.Deleted)
	st.Resources -= st.Deleted
	return st, err
}

// Ready says whether the site was seen whole once. Before, no list is one of the site.
func (s *Site) Ready() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ready
}

func (s *Site) problem(text string) {
	if s.opt.Problem != nil {
		s.opt.Problem(text)
	}
}
