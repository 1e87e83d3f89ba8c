package search

import (
	"cmp"
	"slices"
)

// group is a hit before display: a page with its versions, or a bytestream.
type group struct {
	score    float32
	document int32 // the best match
	worth    int32
	latest   int64 // time of the newest matching capture
	oldest   int64
}

// gathered is the counted result.
type gathered struct {
	total, elsewhere int
	best             []group // the first hits, in order
	facets           [byLanguage + 1]tally
}

// tally counts the groups for each value. The values are small numbers.
type tally struct {
	counts []int32
	last   []int32 // the last group counted for a value
}

func newTally(values int) tally { return tally{make([]int32, values), make([]int32, values)} }

func (y *tally) add(value, group int32) {
	if value >= 0 && int(value) < len(y.counts) && y.last[value] != group {
		y.last[value] = group
		y.counts[value]++
	}
}

// gatherer processes the matches, group by group.
type gatherer struct {
	t      *table
	m      *matched
	sight  *readerView
	wanted *conditions
	in     *membership
	level  Level
	order  Order
	most   int // groups to keep
	found  gathered
	heap   []group // the worst on top
	number int32   // of the current group
	now    group
	hit    bool   // the group is a hit
	pages  []bool // at bytestream level: pages with these versions, by URL
}

// gather groups, counts and sorts the matches. It skips captures closed to the reader before any
// other test.
func (g *gatherer) gather() *gathered {
	const years = 10_000
	for d, values := range []int{byType: len(Types), byYear: years, byHost: len(g.t.hosts), byCollection: len(g.in.ids),
		byLanguage: len(g.t.languages)} {
		g.found.facets[d] = newTally(values)
	}
	if g.level == Bytestreams {
		g.pages = make([]bool, g.t.urls.len())
	}
	last := int32(-1)
	for _, i := range g.rest() {
		d := g.m.all[i].document
		doc := g.t.documents.at(d)
		if key := g.keyOf(d, &doc); key != last {
			g.end()
			last = key
		}
		g.document(d, &doc, g.m.all[i].weight)
	}
	g.end()
	slices.SortFunc(g.heap, g.compare)
	g.found.best = g.heap
	return &g.found
}

// keyOf returns the key of a document's group. At page level, documents other than pages count for
// the other level, each by itself; both kinds come in the same order.
func (g *gatherer) keyOf(d int32, doc *document) int32 {
	if g.level == Pages && doc.isPage() {
		return g.t.group(d)
	}
	return -2 - d
}

// rest processes the matches that are groups of their own. It returns the list positions of all others, with members
// of a group adjacent.
func (g *gatherer) rest() (ordered []int32) {
	all := g.m.all
	for i, p := range all {
		if doc := g.t.documents.at(p.document); doc.alone && g.level == Pages {
			g.single(p, &doc)
		} else {
			ordered = append(ordered, int32(i)) //nolint:gosec // there are fewer than 2^31
		}
	}
	if g.level != Pages {
		return ordered
	}
	// scanning all documents for matches is faster than sorting the matches
	if len(ordered) > g.t.documents.len()/8 {
		at := make([]int32, g.t.documents.len())
		for _, i := range ordered {
			at[all[i].document] = i + 1
		}
		ordered = ordered[:0]
		g.t.byGroup.each(func(d int32) bool {
			if d >= 0 && int(d) < len(at) && at[d] > 0 {
				ordered = append(ordered, at[d]-1)
			}
			return true
		})
		return ordered
	}
	slices.SortFunc(ordered, func(a, b int32) int { return g.t.compareGroups(all[a].document, all[b].document) })
	return ordered
}

// single processes a page of one document with one capture: most pages are such, and no facet can count it twice.
func (g *gatherer) single(x posting, doc *document) {
	n := g.t.begin.at(x.document)
	i, p := g.t.of.at(n), g.t.briefs.at(n)
	failed := uint8(0)
	if g.wanted.any {
		failed = g.wanted.ofDocument(doc) | g.wanted.ofCapture(&p, g.in)
	}
	if failed&(failed-1) != 0 || !g.sight.seesOf(i, p.pkg) {
		return
	}
	g.number++
	g.count(doc, &p, failed)
	if failed != 0 {
		return
	}
	g.found.elsewhere++
	g.found.total++
	if g.order == Relevance && len(g.heap) == g.most && g.most > 0 && x.weight < g.heap[0].score {
		return
	}
	g.keep(group{score: x.weight, document: x.document, worth: int32(doc.id >> 32), //nolint:gosec // it is small
		latest: p.time, oldest: p.time})
}

// document processes the captures of a document.
func (g *gatherer) document(d int32, doc *document, score float32) {
	own := g.wanted.ofDocument(doc)
	atLevel := g.level == Bytestreams || doc.isPage()
	counted := false
	from, of := g.t.begin.at(d), g.t.capturesOf(d)
	for n := range int32(of.len()) { //nolint:gosec // there are fewer than 2^31
		i := of.at(n)
		p := g.t.briefs.at(from + n)
		failed := own
		if failed&(failed-1) != 0 { // two failed conditions: no facet counts it
			return
		}
		if failed |= g.wanted.ofCapture(&p, g.in); failed&(failed-1) != 0 || !g.sight.seesOf(i, p.pkg) {
			continue
		}
		if atLevel {
			g.count(doc, &p, failed)
		}
		if failed != 0 {
			continue
		}
		counted = true
		g.now.latest = max(g.now.latest, p.time)
		if g.now.oldest == 0 || p.time < g.now.oldest {
			g.now.oldest = p.time
		}
	}
	switch {
	case !counted:
	case g.level == Pages:
		g.found.elsewhere++ // each document is a bytestream, those that are pages, too
		if atLevel {
			g.take(d, doc, score)
		}
	default:
		g.take(d, doc, score)
		g.page(d, doc)
	}
}

// page counts the page of a document at the level of bytestreams, once.
func (g *gatherer) page(d int32, doc *document) {
	if !doc.isPage() {
		return
	}
	if of := g.t.group(d); of >= 0 && int(of) < len(g.pages) && !g.pages[of] {
		g.pages[of] = true
		g.found.elsewhere++
	}
}

// take makes a document represent its group, if it matches better than the previous ones.
func (g *gatherer) take(d int32, doc *document, score float32) {
	if !g.hit || score > g.now.score {
		g.now.document, g.now.score = d, score
	}
	w := int32(doc.id >> 32) //nolint:gosec // it is small
	if !g.hit || w < g.now.worth {
		g.now.worth = w
	}
	g.hit = true
}

// count counts a capture for the facets. If all conditions hold, every facet counts it. If one
// condition fails, only the facet of this condition counts it.
func (g *gatherer) count(doc *document, p *brief, failed uint8) {
	number := g.number + 1 // the zero value of last means none
	for d := range g.found.facets {
		if failed != 0 && failed != 1<<d {
			continue
		}
		switch d {
		case byType:
			g.found.facets[d].add(int32(doc.kind), number)
		case byYear:
			g.found.facets[d].add(p.year(), number)
		case byHost:
			g.found.facets[d].add(p.host, number)
		case byLanguage:
			g.found.facets[d].add(int32(doc.language), number)
		case byCollection:
			for _, c := range g.in.of(p.pkg) {
				g.found.facets[d].add(c, number)
			}
		}
	}
}

// end finishes a group.
func (g *gatherer) end() {
	if g.hit {
		g.found.total++
		g.keep(g.now)
	}
	g.number++
	g.now, g.hit = group{}, false
}

// compare orders groups; the better one is less.
func (g *gatherer) compare(a, b group) int {
	switch g.order {
	case Newest:
		return cmp.Or(cmp.Compare(b.latest, a.latest), cmp.Compare(a.document, b.document))
	case Oldest:
		return cmp.Or(cmp.Compare(a.oldest, b.oldest), cmp.Compare(a.document, b.document))
	}
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.worth, b.worth), cmp.Compare(b.latest, a.latest),
		cmp.Compare(a.document, b.document))
}

// keep keeps a group if it is among the best so far. The heap has the worst of these at its top.
func (g *gatherer) keep(x group) {
	h := g.heap
	if len(h) < g.most {
		h = append(h, x)
		for i := len(h) - 1; i > 0 && g.compare(h[(i-1)/2], h[i]) < 0; i = (i - 1) / 2 {
			h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		}
		g.heap = h
		return
	}
	if g.most == 0 || g.compare(x, h[0]) >= 0 {
		return
	}
	h[0] = x
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if g.compare(h[child], h[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		h[i], h[worst] = h[worst], h[i]
		i = worst
	}
}
