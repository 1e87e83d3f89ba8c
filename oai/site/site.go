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

// Site is a website and its index: a resource.Collection. It is safe for use by several goroutines.
type Site struct {
	opt     Options
	find    Find // with defaults
	index   *index
	asker   asker
	urls    *urls
	folder  *os.Root // may be nil
	hostSet string

	scanning sync.Mutex // one scan at a time
	stop     context.CancelFunc
	ended    sync.WaitGroup
	wake     chan struct{}

	mu     sync.Mutex
	status Status
	took   time.Duration // duration of the last scan
	began  time.Time     // start of the last completed scan
	ready  bool          // the first scan is complete
	turn   chan struct{} // closed at the end of a scan, then replaced
}

// Status is the state of the index.
type Status struct {
	// a scan was completed; before that, lists would be incomplete
	Ready     bool      `json:"ready"`
	Scanning  bool      `json:"scanning"`  // a scan is running
	Found     int64     `json:"found"`     // resources found by the current or last scan
	Resources int64     `json:"resources"` // records, except those of deleted resources
	Deleted   int64     `json:"deleted"`   // records of deleted resources
	Scanned   time.Time `json:"scanned"`   // end of the last scan; zero if this process completed none
	// that scan read all its sources; otherwise it marks nothing as deleted
	Complete bool `json:"complete"`
}

// New opens the index of a site and starts to scan it. The caller closes it.
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

// prepare sets the defaults of the options.
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

// seen reports whether an earlier run completed a scan of the site at this root.
func (s *Site) seen(ctx context.Context) (bool, error) {
	at, err := s.index.fact(ctx, "seen "+s.urls.root)
	return at > 0, err
}

// Close ends the scanning. The index is kept for the next start.
func (s *Site) Close() error {
	s.stop()
	s.ended.Wait()
	if s.folder != nil {
		_ = s.folder.Close() // read only
	}
	return s.index.close()
}

// Status returns the state of the index.
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

// Ready reports whether a scan was completed. Before that, lists are incomplete.
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
