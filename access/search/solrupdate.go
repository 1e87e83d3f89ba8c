package search

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quire/access/search/extract"
	"quire/access/search/solr"
	"quire/holdings"
	"quire/holdings/captures"
)

// Update implements [Engine]. Captures that are closed now leave Solr first, in all packages. Then it
// reads packages that are new or changed.
func (s *Solr) Update(ctx context.Context) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	there, err := s.house.Indexed(ctx)
	if err != nil {
		return err
	}
	f, err := s.readFed(ctx)
	if err != nil {
		return err
	}
	u := &solrUpdate{s: s, fed: f.copied(), now: s.now().Unix()}
	u.epoch, _ = s.house.Epoch() // while the rules are unreadable, everything that they may close is closed
	if u.stamp, err = s.house.Stamp(ctx); err != nil {
		return err
	}
	todo := todoOf(there, f.states())
	if len(todo) > 0 || len(f.packages) > 0 {
		if err := s.note(); err != nil {
			return err
		}
	}
	defer s.setIndexing("")
	if todo, err = u.close(ctx, there, todo); err != nil {
		return err
	}
	for i, p := range todo {
		u.at = Progress{Package: p.name, Packages: len(todo) - i, Documents: u.at.Documents}
		s.setIndexing(fmt.Sprintf("%d of the packages are still being read", len(todo)-i))
		if err := u.take(ctx, p); err != nil {
			return fmt.Errorf("indexing the text of package %s in Solr: %w", p.name, err)
		}
	}
	if s.options.Progress != nil {
		s.options.Progress(Progress{Documents: u.at.Documents})
	}
	s.mu.Lock()
	s.triedAt = u.stamp
	s.mu.Unlock()
	return u.commit(ctx)
}

func (s *Solr) now() time.Time {
	if s.options.Now != nil {
		return s.options.Now()
	}
	return time.Now()
}

func (s *Solr) setIndexing(indexing string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.indexing = indexing
}

// solrUpdate is one run over the packages.
type solrUpdate struct {
	s     *Solr
	fed   *fed
	epoch string
	stamp any
	now   int64
	at    Progress

	dirty  bool
	recent map[string]string // pages of payloads that searches do not see yet
}

// close deletes what is closed: packages that are gone or changed, from the collection of open records,
// and closed captures of the others. It returns the packages to read.
func (u *solrUpdate) close(ctx context.Context, there map[string]string, todo []work) ([]work, error) {
	changed := map[string]bool{}
	for _, p := range todo {
		changed[p.name] = true
		if was, known := u.fed.packages[p.name]; known {
			was.state = ""
			if err := u.empty(ctx, p.name, was); err != nil {
				return nil, err
			}
		}
	}
	u.s.mu.Lock()
	tried := u.s.triedAt == u.stamp
	u.s.mu.Unlock()
	for name, p := range u.fed.packages {
		state := there[name]
		if changed[name] || state == "" || p.state != state {
			continue
		}
		due := p.next != 0 && p.next <= u.now
		if p.epoch == u.epoch && !due {
			if p.again && !tried {
				todo = append(todo, work{name, state})
			}
			continue
		}
		outcome, next, closed, err := u.judge(ctx, name)
		if err != nil {
			return nil, err
		}
		if outcome != p.outcome {
			todo = append(todo, work{name, state})
			if err := u.s.deleteOpen(ctx, name, closed); err != nil {
				return nil, err
			}
			u.dirty = true
			continue
		}
		if p.again && !tried {
			todo = append(todo, work{name, state})
		}
		p.epoch, p.next = u.epoch, next
		if err := u.record(ctx, name, p); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(todo, func(a, b work) int { return strings.Compare(a.name, b.name) })
	return todo, u.commit(ctx)
}

// empty removes a package from the collection of open records, and marks it as being read: no search has it
// until it is complete.
func (u *solrUpdate) empty(ctx context.Context, name string, p fedPackage) error {
	if u.s.open != nil {
		if err := u.s.open.Delete(ctx, u.s.openPackage(name)); err != nil {
			return err
		}
	}
	return u.record(ctx, name, p)
}

// record writes the state of a package.
func (u *solrUpdate) record(ctx context.Context, name string, p fedPackage) error {
	u.fed.packages[name], u.dirty = p, true
	return u.s.own.Add(ctx, []map[string]any{p.document(name)})
}

// commit makes all changes visible.
func (u *solrUpdate) commit(ctx context.Context) error {
	u.recent = nil
	if u.dirty {
		if err := u.s.mark(ctx); err != nil {
			return err
		}
		for _, c := range u.s.both() {
			if err := c.Commit(ctx); err != nil {
				return fmt.Errorf("committing to Solr: %w", err)
			}
		}
		u.dirty = false
	}
	f := u.fed.copied()
	var err error
	if f.mark, err = u.s.markOf(ctx); err == nil {
		u.s.keepFed(f)
	}
	return err
}

// openPackage is the query of the captures of a package in the collection of open records.
func (s *Solr) openPackage(name string) string {
	prefix := sourceFile(s.settings.Files, name, "")
	return `{!prefix f=source_file_path v=` + singly(prefix) + `}`
}

// singly returns a text as a value of a local parameter.
func singly(s string) string { return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'" }

// deleteOpen deletes captures of a package from the collection of open records.
func (s *Solr) deleteOpen(ctx context.Context, name string, ids []string) error {
	if s.open == nil {
		return nil
	}
	const some = 500
	for part := range slices.Chunk(ids, some) {
		query := "+" + solr.Within(s.openPackage(name)) + " +" + solr.OneOf("id", part...)
		if err := s.open.Delete(ctx, query); err != nil {
			return err
		}
	}
	return nil
}

// judge returns the digest of the judgements on a package, the next moment of a change, and the open ids of
// its closed captures.
func (u *solrUpdate) judge(ctx context.Context, name string) (outcome string, next int64, closed []string, err error) {
	sum := newOutcome()
	for c, err := range u.s.captures(ctx, name) {
		if err != nil {
			return "", 0, nil, err
		}
		a := u.s.accessTo(c.Capture)
		sum.add(c.Capture, &a)
		if !a.forever {
			closed = append(closed, openID(c.Capture))
		}
	}
	return sum.text(), sum.next, closed, nil
}

// captures returns the captures of a package that are for Solr.
func (s *Solr) captures(ctx context.Context, name string) func(func(holdings.Judged, error) bool) {
	return func(yield func(holdings.Judged, error) bool) {
		for c, err := range s.house.Captures(ctx, holdings.Reader{Class: holdings.Staff},
			captures.Query{Packages: []string{name}}) {
			if err == nil && !feedable(c) {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// outcome is a digest of judgements.
type outcome struct {
	sum  [sha256.Size]byte
	next int64
}

func newOutcome() *outcome { return &outcome{} }

func (o *outcome) add(c *captures.Capture, a *access) {
	line := append(o.sum[:], captureID(c)...)
	for i := range classes {
		line = binary.BigEndian.AppendUint64(line, uint64(a.from[i])) //nolint:gosec // any bits will do
		line = binary.BigEndian.AppendUint64(line, uint64(a.to[i]))   //nolint:gosec // any bits will do
	}
	o.sum = sha256.Sum256(line)
	if a.next != 0 && (o.next == 0 || a.next < o.next) {
		o.next = a.next
	}
}

func (o *outcome) text() string { return hex.EncodeToString(o.sum[:16]) }

// take reads or removes a package. A search has the package when all of it is there.
func (u *solrUpdate) take(ctx context.Context, p work) error {
	if p.state == "" {
		delete(u.fed.packages, p.name)
		u.dirty = true
		return u.s.own.Delete(ctx, solr.OneOf("quire_package", p.name))
	}
	was := u.fed.packages[p.name]
	now := fedPackage{pass: was.pass + 1, epoch: u.epoch}
	if err := u.record(ctx, p.name, fedPackage{pass: now.pass}); err != nil {
		return err
	}
	sum, again, err := u.read(ctx, p.name, now.pass)
	if err != nil {
		return err
	}
	old := fmt.Sprintf("+%s +%s +quire_pass:[* TO %d]", solr.OneOf("quire_package", p.name), ofCaptures, now.pass-1)
	if was.pass > 0 {
		if err := u.s.own.Delete(ctx, old); err != nil {
			return err
		}
	}
	now.state, now.outcome, now.next, now.again = p.state, sum.text(), sum.next, again
	return u.record(ctx, p.name, now)
}

// read reads the captures of a package in batches.
func (u *solrUpdate) read(ctx context.Context, name string, pass int64) (*outcome, bool, error) {
	const some = 100
	sum, again := newOutcome(), false
	var batch []*captures.Capture
	flush := func() error {
		lost, err := u.write(ctx, batch, pass, sum)
		again = again || lost
		batch = batch[:0]
		if u.s.options.Progress != nil {
			u.s.options.Progress(u.at)
		}
		return err
	}
	for c, err := range u.s.captures(ctx, name) {
		if err != nil {
			return nil, false, err
		}
		u.at.Captures++
		if batch = append(batch, kept(c.Capture)); len(batch) == some {
			if err := flush(); err != nil {
				return nil, false, err
			}
		}
	}
	return sum, again, flush()
}

// write sends the captures of a batch. It reports whether some could not be read.
func (u *solrUpdate) write(ctx context.Context, batch []*captures.Capture, pass int64, sum *outcome) (bool, error) {
	if len(batch) == 0 {
		return false, nil
	}
	known, news, err := u.payloads(ctx, batch)
	if err != nil {
		return false, err
	}
	if err := u.s.readAll(ctx, news, func(*fresh) {}); err != nil {
		return false, err
	}
	u.at.Documents += int64(len(news))
	again := false
	out := &sending{u: u}
	for _, c := range batch {
		f := known[digestOf(c)]
		again = again || f.again
		a := u.s.accessTo(c)
		sum.add(c, &a)
		if err := out.add(ctx, c, f, &a, pass); err != nil {
			return false, err
		}
	}
	return again, out.flush(ctx)
}

// sending collects documents for one request.
type sending struct {
	u         *solrUpdate
	own, open []map[string]any
	size      int
}

func (o *sending) add(ctx context.Context, c *captures.Capture, f *solrFresh, a *access, pass int64) error {
	const most = 4 << 20 // bytes of text
	d, err := ownDocument(c, &f.fresh, f.page, a, pass)
	if err != nil {
		return err
	}
	o.own = append(o.own, d)
	if a.forever && o.u.s.open != nil {
		if d := openDocument(c, &f.fresh, o.u.s.settings.Files); d != nil {
			o.open = append(o.open, d)
		}
	}
	if o.size += len(f.text.Body); o.size > most {
		return o.flush(ctx)
	}
	return nil
}

func (o *sending) flush(ctx context.Context) error {
	err := o.u.s.own.Add(ctx, o.own)
	if err == nil && o.u.s.open != nil {
		err = o.u.s.open.Add(ctx, o.open)
	}
	o.own, o.open, o.size = nil, nil, 0
	o.u.dirty = true
	return err
}

// solrFresh is a payload, with the page of its hits.
type solrFresh struct {
	fresh
	page string
}

// payloads returns the payloads of a batch by their digests, and those to read: Solr has the texts of the
// others. All captures of a payload belong to the page at which it was seen first; of one batch, to the
// page nearest to the front of its site.
func (u *solrUpdate) payloads(ctx context.Context, batch []*captures.Capture) (map[string]*solrFresh, []*fresh, error) {
	const most = 50_000
	if len(u.recent) > most {
		if err := u.commit(ctx); err != nil {
			return nil, nil, err
		}
	}
	known := map[string]*solrFresh{}
	for _, c := range batch {
		digest := digestOf(c)
		f := known[digest]
		if f == nil {
			f = &solrFresh{fresh: fresh{digest: digest, from: c, worth: urlRank(c.URL)}, page: c.Key}
			known[digest] = f
		}
		if rank := urlRank(c.URL); rank < f.worth {
			f.worth, f.page = rank, c.Key
		}
	}
	if err := u.s.lookUp(ctx, known); err != nil {
		return nil, nil, err
	}
	if u.recent == nil {
		u.recent = map[string]string{}
	}
	var news []*fresh
	for digest, f := range known {
		if page := u.recent[digest]; page != "" {
			f.page = page
		}
		u.recent[digest] = f.page
		if f.text == nil {
			news = append(news, &f.fresh)
		}
	}
	return known, news, nil
}

// lookUp finds payloads in Solr: their pages, and their texts if they could be read.
func (s *Solr) lookUp(ctx context.Context, known map[string]*solrFresh) error {
	const some = 10 // a text may have half a megabyte
	digests := make([]string, 0, len(known))
	for digest := range known {
		digests = append(digests, digest)
	}
	for part := range slices.Chunk(digests, some) {
		var answer grouped
		err := s.own.Select(ctx, map[string]any{"query": solr.Among("quire_payload", "digests"), "limit": some,
			"filter": ofCaptures, "fields": "quire_payload,quire_page,quire_text,quire_size,quire_again",
			"params": map[string]any{"digests": solr.List(part), "group": true, "group.field": "quire_payload",
				"group.limit": 1}}, &answer)
		if err != nil {
			return err
		}
		for _, g := range answer.of("quire_payload").Groups {
			for i := range g.Doclist.Docs {
				d := &g.Doclist.Docs[i]
				f := known[d.Payload]
				if f == nil {
					continue
				}
				if f.page = d.Page; d.Again > 0 {
					continue
				}
				var err error
				if f.text, err = d.text(); err != nil {
					return err
				}
				f.size = d.Size
			}
		}
	}
	return nil
}

var errNoText = errors.New("Solr returned a document without its text")

// text returns the text of a document.
func (d *solrDocument) text() (*extract.Text, error) {
	if d.Text == "" {
		return nil, errNoText
	}
	return decodeText(d.Text)
}
