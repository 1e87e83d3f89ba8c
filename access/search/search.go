package search

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/filemap"
)

// Holdings is the part of holdings that search needs.
type Holdings interface {
	Captures(ctx context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error]
	Read(ctx context.Context, who holdings.Reader, c *captures.Capture) (*holdings.Content, error)
	Judging() func(holdings.Reader, *captures.Capture) holdings.Decision
	Stamp(ctx context.Context) (any, error)
	Indexed(ctx context.Context) (map[string]string, error)
	Members(ctx context.Context, who holdings.Reader) (ids map[string][]string, titles map[string]string, err error)
	Epoch() (epoch string, known bool)
	Changes(who holdings.Reader, c *captures.Capture) []holdings.Decided
	Turn(ctx context.Context, name, doing string) (*holdings.Turn, error)
}

// Options configures an index.
type Options struct {
	Problem  func(error)      // called with read errors, from any goroutine; may be nil
	Progress func(Progress)   // called with the progress; may be nil
	Workers  int              // payloads read in parallel; 0 means one per processor
	Now      func() time.Time // nil means time.Now
	Beside   Beside           // another index of the same payloads; may be nil
}

// Beside is another index of the payloads of a repository. It gets those that the text index reads, so that no payload
// is read twice. Each index can be updated alone: the other one reads the rest itself.
type Beside interface {
	// Begin is called before the payloads of a package are read.
	Begin()
	// Payload is called with a payload that is whole and verified, without content codings, from several goroutines.
	// The bytes are valid during the call.
	Payload(c *captures.Capture, payload []byte, contentType string)
	// End is called after the payloads of the package were read, with success or without it.
	End(ctx context.Context, name string, success bool)
	// Updated is called by Run after each update, whether it succeeded or not.
	Updated(ctx context.Context)
}

// Search is the index of a repository in SQLite. It is safe for concurrent use.
type Search struct {
	source
	db     *sql.DB
	judged judgements
	packer packer

	mu       sync.Mutex
	table    *table    // the current one
	reading  bool      // a newer table is being read
	readAt   time.Time // when the table was read
	took     time.Duration
	indexing string // see Result

	tried attempt // the last one to read unreadable documents again
}

// attempt is the last attempt to read unreadable documents again.
type attempt struct {
	stamp any
	at    time.Time
}

// tryAfter is the time after which unreadable documents are read again, though no decision has changed: a copy may
// have been repaired, or be back.
const tryAfter = 10 * time.Minute

// due reports whether it is time for another attempt.
func (a *attempt) due(stamp any, now time.Time) bool {
	return a.stamp != stamp || now.Sub(a.at) >= tryAfter
}

// source is the part of an index that does not depend on the engine: where the content is read.
type source struct {
	dir     string
	house   Holdings
	options Options
	// pictures also lists the pictures of pages: only Solr has a field for them
	pictures bool

	updating sync.Mutex // only one goroutine writes
}

// now returns the time.
func (s *source) now() time.Time {
	if s.options.Now != nil {
		return s.options.Now()
	}
	return time.Now()
}

// Open opens the index in a folder, or creates an empty one: see [Search.Update].
func Open(ctx context.Context, dir string, house Holdings, o Options) (*Search, error) {
	db, _, err := openDatabase(ctx, dir)
	if err != nil {
		return nil, err
	}
	s := &Search{source: source{dir: dir, house: house, options: o}, db: db}
	if s.packer, err = newPacker(); err != nil {
		return nil, err
	}
	if s.table, err = s.firstTable(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("reading the text index in %s: %w", dir, err), db.Close())
	}
	return s, nil
}

// firstTable returns the saved table, or reads it from the database and saves it.
func (s *Search) firstTable(ctx context.Context) (*table, error) {
	t, err := savedTable(ctx, s.db, s.dir)
	if err != nil || t != nil {
		return t, err
	}
	if t, err = readTable(ctx, s.db); err == nil && t.captures.len() > 0 {
		t = s.savedAs(ctx, t)
	}
	return t, err
}

// savedAs saves a table, and returns it as mapped from its file: then it takes no memory of its own.
// If that fails it reports the error, and returns the table itself.
func (s *Search) savedAs(ctx context.Context, t *table) *table {
	err := t.save(s.dir)
	var saved *table
	if err == nil {
		saved, err = savedTable(ctx, s.db, s.dir)
	}
	if err != nil {
		s.problem(fmt.Errorf("saving the table of the text index: %w", err))
	}
	return cmp.Or(saved, t)
}

// Close closes the index.
func (s *Search) Close() error { return s.db.Close() }

// current returns the current table of the database; during heavy writing, a slightly older one.
func (s *Search) current(ctx context.Context) (*table, error) {
	n, err := changes(ctx, s.db)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	const share = 10 // limits the time share of reading tables
	if s.table.changes == n || s.reading || time.Since(s.readAt) < share*s.took {
		return s.table, nil
	}
	if s.took > time.Second { // do not let the caller wait
		s.reading = true
		go s.refresh(context.WithoutCancel(ctx))
		return s.table, nil
	}
	err = s.reread(ctx)
	return s.table, err // the new one, read after the change
}

// refresh reads the table while other goroutines use the previous one.
func (s *Search) refresh(ctx context.Context) {
	begin := time.Now()
	t, err := readTable(ctx, s.db)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reading = false
	if err != nil {
		s.problem(err)
		return
	}
	s.table, s.readAt, s.took = t, time.Now(), time.Since(begin)
}

func (s *Search) reread(ctx context.Context) error {
	begin := time.Now()
	t, err := readTable(ctx, s.db)
	if err != nil {
		return err
	}
	s.table, s.readAt, s.took = t, time.Now(), time.Since(begin)
	return nil
}

func (s *source) problem(err error) {
	if err != nil && s.options.Problem != nil {
		s.options.Problem(err)
	}
}

// Query runs a query. Errors come only from the machine: every input of a reader is valid.
func (s *Search) Query(ctx context.Context, who holdings.Reader, q Query) (*Result, error) {
	t, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	var r *Result
	err = filemap.Guard(t.maps, func() (err error) {
		r, err = s.query(ctx, t, who, q)
		return err
	})
	runtime.KeepAlive(t) // its file is mapped
	if errors.Is(err, filemap.ErrFault) {
		err = fmt.Errorf("the text index in %s: %w. Check the system log for disk errors, then run quire index "+
			"--rebuild", s.dir, err)
	}
	return r, err
}

// query runs a query with a table.
func (s *Search) query(ctx context.Context, t *table, who holdings.Reader, q Query) (*Result, error) {
	begin := time.Now()
	asked := parse(q.Text)
	asked.filters = append(asked.filters, q.Filters...)
	q.complete(asked)
	in, err := s.membership(ctx, who, t)
	if err != nil {
		return nil, err
	}
	sees, err := s.sightOf(ctx, who, t)
	if err != nil {
		return nil, err
	}
	g, err := s.gatherer(ctx, &gatherer{t: t, sight: sees, in: in, level: q.Level, order: q.Order,
		most: q.From + q.Limit}, asked)
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	found := g.gather()
	r := &Result{
		Level: q.Level, Total: found.total, Elsewhere: found.elsewhere, Notes: append([]string{}, asked.notes...),
		Filters: append([]Filter{}, asked.filters...),
		Facets:  t.facets(found, asked.filters, in), Hits: []Hit{},
	}
	if found.total+found.elsewhere == 0 && len(asked.all) > 0 {
		if r.Suggestion, err = s.suggestion(ctx, g, asked, q.Filters); err != nil {
			return nil, fmt.Errorf("searching other words: %w", err)
		}
	}
	show := &hitBuilder{s: s, t: t, who: who, sight: sees, question: asked, wanted: g.wanted, in: in, level: q.Level,
		matches: g.m}
	for _, x := range found.best[min(q.From, len(found.best)):] {
		hit, ok, err := show.hit(ctx, x)
		if err != nil {
			return nil, err
		}
		if ok {
			r.Hits = append(r.Hits, *hit)
		}
	}
	s.mu.Lock()
	r.Indexing = s.indexing
	s.mu.Unlock()
	r.Took = time.Since(begin)
	return r, nil
}

// gatherer returns a gatherer of a question, with the reader, level and order of another one.
func (s *Search) gatherer(ctx context.Context, like *gatherer, q *question) (*gatherer, error) {
	m, err := s.match(ctx, like.t, q)
	if err != nil {
		return nil, err
	}
	return &gatherer{t: like.t, m: m, sight: like.sight, wanted: like.t.conditions(q.filters, like.in), in: like.in,
		level: like.level, order: like.order, most: like.most}, nil
}

// complete applies limits and defaults to a query. If it asks for files alone, the level is bytestreams.
func (q *Query) complete(asked *question) {
	const usual = 10
	if q.Limit <= 0 {
		q.Limit = usual
	}
	q.Limit, q.From = min(q.Limit, MaxLimit), min(max(q.From, 0), MaxFrom)
	pages, files := false, false
	for _, f := range asked.filters {
		if f.Field == Type && !f.Not {
			isPage := f.Value == "page" || f.Value == "text"
			pages, files = pages || isPage, files || !isPage
		}
	}
	switch {
	case files && !pages: // no page is a PDF: the reader means the files
		q.Level = Bytestreams
	case q.Level == Pages || q.Level == Bytestreams:
	case files:
		q.Level = Bytestreams
	default:
		q.Level = Pages
	}
}

// membership returns the collections visible to the reader, in the numbers of a table.
func (s *Search) membership(ctx context.Context, who holdings.Reader, t *table) (*membership, error) {
	ids, titles, err := s.house.Members(ctx, who)
	if err != nil {
		return nil, err
	}
	m := &membership{packages: make([][]int32, len(t.packages))}
	var all names
	for p, name := range t.packages {
		for _, id := range ids[name] {
			m.packages[p] = append(m.packages[p], all.number(id))
		}
	}
	m.ids = all.all
	for _, id := range m.ids {
		m.titles = append(m.titles, titles[id])
	}
	return m, nil
}
