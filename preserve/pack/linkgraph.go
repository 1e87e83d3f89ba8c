package pack

import (
	"encoding/binary"
	"errors"

	"quire/format/weburl"
	"quire/internal/extsort"
	"quire/model"
)

// linkGraph resolves the links of all pages within the package: to the capture of their URL,
// through captured redirects. Captures and links are sorted by URL on disk and joined there, once
// for the links, and once more for each further redirect.
type linkGraph struct {
	dir      string
	onward   *rowFile        // redirects, until their container is known to be packed
	captures *extsort.Sorter // by URL, in the order of captureKey
	found    *extsort.Sorter // targets of links, by harvest and position of the link
	// targets in another harvest than the link, by harvest of the link
	elsewhere *extsort.Sorter
	embedded  *extsort.Sorter // files that pages load, by harvest and position of the page
	reached   *extsort.Sorter // how links lead to captures, by position of the capture
	targets   *targetRows     // instead of found, embedded and reached, if the captures are in memory; or nil
	// with targets: captures to which links lead by iframes only
	inlineOnly map[place]bool
	inlined    bool // an iframe leads to a page
	count      linkCount

	key, value []byte // for code that adds to the sorters
}

// linkCount counts the links of a package.
type linkCount struct {
	links   int64 // in the METS
	inside  int64 // with a target in the package
	through int64 // through redirects
	leftOut int64 // from pages with more than the limit
}

// The limits of the graph.
const (
	graphMemory = 4 << 20  // memory of each sorter, in bytes
	maxHops     = 20       // redirects that are followed: browsers stop after as many
	maxURL      = 16 << 10 // length of a URL in bytes
	maxThrough  = 4 << 10  // length of the text about redirects in bytes
)

func newLinkGraph(dir string) (_ *linkGraph, err error) {
	g := &linkGraph{dir: dir}
	if g.onward, err = newRowFile(dir); err != nil {
		return nil, err
	}
	g.captures, g.found, g.elsewhere = g.sorter(), g.sorter(), g.sorter()
	g.embedded, g.reached = g.sorter(), g.sorter()
	return g, nil
}

func (g *linkGraph) sorter() *extsort.Sorter {
	return extsort.New(extsort.Options{Memory: graphMemory, Dir: g.dir})
}

func (g *linkGraph) close() error {
	err := errors.Join(g.onward.close(), g.captures.Close(), g.found.Close(), g.elsewhere.Close(),
		g.embedded.Close(), g.reached.Close())
	if g.targets != nil {
		err = errors.Join(err, g.targets.close())
	}
	return err
}

// webCapture is one capture of a URL: a target of links, or a redirect.
type webCapture struct {
	other   bool // the record writes the URL in another form than browsers do
	harvest int
	at      int64 // milliseconds since 1970
	place   place
	form    byte   // of its file: see content.form
	status  string // of a redirect
	url     string // of a redirect: as in the record
	next    string // of a redirect: its target

	inlined, reached bool // by an iframe, or by another link, if links are resolved in memory
}

// Captures of a URL are in order of preference: those with the URL in browsers' form first, each
// harvest separately, by date.
func (c *webCapture) key(url string) []byte {
	k := append(make([]byte, 0, len(url)+32), url...)
	k = append(k, 0, 0)
	if c.other {
		k[len(k)-1] = 1
	}
	k = binary.BigEndian.AppendUint32(k, uint32(c.harvest))
	k = binary.BigEndian.AppendUint64(k, uint64(c.at)^1<<63)
	return c.place.append(k)
}

// keyRest is the length of a key after the URL and its zero byte.
const keyRest = 1 + 4 + 8 + containerSize + 8

func (c *webCapture) value() []byte {
	if c.next == "" {
		return []byte{c.form}
	}
	return appendTexts(nil, &c.status, &c.url, &c.next)
}

func captureOf(key, value []byte) (*webCapture, error) {
	k := key[len(key)-keyRest:]
	c := &webCapture{
		other: k[0] != 0, harvest: int(binary.BigEndian.Uint32(k[1:])),
		at:    int64(binary.BigEndian.Uint64(k[5:]) ^ 1<<63),
		place: placeOf(k[13:]),
	}
	if len(value) == 1 {
		c.form = value[0]
	} else {
		r := rowReader{rest: string(value)}
		r.texts(&c.status, &c.url, &c.next)
		if r.short {
			return nil, errRow
		}
	}
	return c, nil
}

// add adds a capture under the browsers' form of its URL. No link leads to a URL that browsers
// cannot request.
func (g *linkGraph) add(uri string, c webCapture) error {
	url, ok := weburl.Normal(uri)
	if !ok || len(url) > maxURL {
		return nil
	}
	c.other = url != uri
	return g.captures.Add(c.key(url), c.value())
}

// redirect adds a record with a redirecting answer (RFC 9110, 15.4).
func (g *linkGraph) redirect(r *model.Record) error {
	switch r.Status {
	case "300", "301", "302", "303", "307", "308":
	default:
		return nil
	}
	if r.Location == "" || r.Type == "request" {
		return nil
	}
	next, ok := weburl.Redirected(r.URI, r.Location)
	if !ok || len(next) > maxURL {
		return nil
	}
	row := binary.AppendVarint(binary.AppendVarint(g.onward.row[:0], r.Order), r.Date.UnixMilli())
	g.onward.row = appendTexts(row, &r.Status, &r.URI, &next)
	return g.onward.add(g.onward.row)
}

// redirects adds the redirects of a container to the captures.
func (g *linkGraph) redirects(p *packed) error {
	return g.onward.each(p.Contents.Onward, func(row string) error {
		r := rowReader{rest: row}
		c := webCapture{harvest: p.Harvest, place: place{p.N, r.number()}, at: r.number()}
		r.texts(&c.status, &c.url, &c.next)
		if r.short {
			return errRow
		}
		return g.add(c.url, c)
	})
}

// at returns the position of the next redirect.
func (g *linkGraph) at() int64 {
	if g == nil {
		return 0
	}
	return g.onward.at
}

// linkClass is the kind of target of a link.
type linkClass uint8

// The classes.
const (
	leads    linkClass = iota // a click, a frame or a refresh leads to a page
	inlines                   // an iframe shows it within a page
	includes                  // a page loads it
)

// pendingLink is an unresolved link. Links are sorted by the URL that they have reached so far.
type pendingLink struct {
	from    place
	number  int64 // among the links of its page
	harvest int
	kind    linkClass
	at      int64 // capture time of the page, or of the last redirect
	hops    int64
	through string // the redirects so far, for people
}

// value appends the link's value to b.
func (l *pendingLink) value(b []byte) []byte {
	b = l.from.append(b)
	for _, n := range [...]int64{l.number, int64(l.harvest), int64(l.kind), l.at, l.hops} {
		b = binary.AppendVarint(b, n)
	}
	return append(b, l.through...)
}

func pendingOf(b []byte) (l pendingLink, err error) {
	l.from, b = placeOf(b), b[containerSize+8:]
	var numbers [5]int64
	for i := range numbers {
		n, size := binary.Varint(b)
		if size <= 0 {
			return l, errRow
		}
		numbers[i], b = n, b[size:]
	}
	l.number, l.harvest, l.kind = numbers[0], int(numbers[1]), linkClass(numbers[2])
	l.at, l.hops, l.through = numbers[3], numbers[4], string(b)
	return l, nil
}
