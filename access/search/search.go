package search

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
)

// House is what search needs of holdings: see there.
type House interface {
	Captures(ctx context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error]
	Read(ctx context.Context, who holdings.Reader, c *captures.Capture) (*holdings.Content, error)
	Judging() func(holdings.Reader, *captures.Capture) holdings.Decision
	Stamp(ctx context.Context) (any, error)
	Indexed(ctx context.Context) (map[string]string, error)
	Members(ctx context.Context, who holdings.Reader) (ids map[string][]string, titles map[string]string, err error)
}

// Options say how an index is kept.
type Options struct {
	Problem  func(error)    // told what could not be read, from any goroutine; may be nil
	Progress func(Progress) // told how far it has come; may be nil
	Workers  int            // payloads that are read at the same time; 0 means one for each processor
}

// Search is the index of a repository. It is used from many goroutines.
type Search struct {
	db      *sql.DB
	dir     string
	house   House
	options Options
	judged  judgements
	asked   answers
	packer  packer

	mu       sync.Mutex
	table    *table    // the latest
	reading  bool      // a newer one is being read
	readAt   time.Time // when the latest was
	took     time.Duration
	indexing string // see Result

	updating sync.Mutex // one goroutine writes
	triedAt  any        // stamp of holdings at which all was tried that could not be read before
}

// Open opens the index in a folder, or makes an empty one: see [Search.Update].
func Open(ctx context.Context, dir string, house House, o Options) (*Search, error) {
	db, _, err := openDatabase(ctx, dir)
	if err != nil {
		return nil, err
	}
	s := &Search{db: db, dir: dir, house: house, options: o}
	if s.packer, err = newPacker(); err != nil {
		return nil, err
	}
	if s.table, err = readTable(ctx, db); err != nil {
		return nil, errors.Join(fmt.Errorf("reading the text index in %s: %w", dir, err), db.Close())
	}
	return s, nil
}

// Close closes the index.
func (s *Search) Close() error { return s.db.Close() }

// current is the table as the database has it now or, while much is being written, had it a little
// while ago.
func (s *Search) current(ctx context.Context) (*table, error) {
	n, err := changes(ctx, s.db)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	const share = 10 // of the time is spent on reading tables at most
	if s.table.changes == n || s.reading || time.Since(s.readAt) < share*s.took {
		return s.table, nil
	}
	if s.took > time.Second { // who asks does not wait for that
		s.reading = true
		go s.refresh(context.WithoutCancel(ctx))
		return s.table, nil
	}
	err = s.reread(ctx)
	return s.table, err // the new one: read after it was
}

// refresh reads the table while others go on with the one before.
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

func (s *Search) problem(err error) {
	if s.options.Problem != nil {
		s.options.Problem(err)
	}
}

// Query answers a question. An error is one of the machine: whatever the reader wrote, there is an
// answer.
func (s *Search) Query(ctx context.Context, who holdings.Reader, q Query) (*Result, error) {
	begin := time.Now()
	t, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	asked := parse(q.Text)
	asked.filters = append(asked.filters, q.Filters...)
	q.complete(asked)
	m, err := s.match(ctx, t, asked)
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	in, err := s.membership(ctx, who, t)
	if err != nil {
		return nil, err
	}
	sees, err := s.sightOf(ctx, who, t)
	if err != nil {
		return nil, err
	}
	g := &gatherer{t: t, m: m, sight: sees, wanted: t.conditions(asked.filters, in), in: in, level: q.Level,
		order: q.Order, most: q.From + q.Limit}
	found := g.gather()
	r := &Result{
		Level: q.Level, Total: found.total, Elsewhere: found.elsewhere, Notes: append([]string{}, asked.notes...),
		Filters: append([]Filter{}, asked.filters...),
		Facets:  t.facets(found, asked.filters, in), Hits: []Hit{},
	}
	show := &shower{s: s, t: t, who: who, sight: sees, question: asked, wanted: g.wanted, in: in, level: q.Level,
		matches: m}
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

// complete brings a query within its bounds. Who asks for documents without saying at which level
// means bytestreams.
func (q *Query) complete(asked *question) {
	const usual = 10
	if q.Limit <= 0 {
		q.Limit = usual
	}
	q.Limit, q.From = min(q.Limit, MaxLimit), min(max(q.From, 0), MaxFrom)
	if q.Level == Pages || q.Level == Bytestreams {
		return
	}
	q.Level = Pages
	for _, f := range asked.filters {
		if f.Field == Type && !f.Not && f.Value != "page" && f.Value != "text" {
			q.Level = Bytestreams
		}
	}
}

// membership is what the reader may know of collections, in the numbers of a table.
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
