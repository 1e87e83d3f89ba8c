package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quire/access/search/extract"
	"quire/access/search/solr"
	"quire/holdings/captures"
)

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
	var sum *outcome
	var again bool
	if err := u.s.together(ctx, p.name, func() (err error) {
		sum, again, err = u.read(ctx, p.name, now.pass)
		return err
	}); err != nil {
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
		if err := u.turn.Alive(ctx); err != nil {
			return err
		}
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
