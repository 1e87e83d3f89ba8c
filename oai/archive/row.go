package archive

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"quire/format/warc"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/extsort"
	"quire/oai/protocol"
)

// Reasons why a capture is not a record. They are counted and shown to the server's administrator.
const (
	outTooLong  = "its URL is too long for an identifier"
	outNoURL    = captures.LeftNoURL
	outRevisit  = "a revisit whose original is not in the repository"
	outUnstated = "a revisit that states no SHA-1 or SHA-256 of its payload"
	outWebsite  = captures.LeftWebsite
)

// noRecords maps the reasons of the CDXJ index for captures that are not records to our texts.
var noRecords = map[string]string{
	captures.LeftCut: captures.LeftCut, captures.LeftSegment: captures.LeftSegment, captures.LeftLong: outTooLong,
	captures.LeftNoURL: outNoURL, captures.LeftWebsite: outWebsite,
}

// place is the location of a record in one container.
type place struct {
	Content string `json:"c"` // SHA-512 of the container
	Order   int64  `json:"o"`
	MIME    string `json:"m"`
	Host    string `json:"h,omitempty"`
	// present and future decisions; empty if only older versions have the record
	Now []change `json:"n,omitempty"`
}

// gatherer collects the records of a package in the order of their identifiers.
type gatherer struct {
	*Archive
	pkg     string
	sorted  *extsort.Sorter
	leftOut map[string]int64
	waiting map[string]bool // digests stated by revisits, without a payload in the repository
	refers  map[string]bool // packages with the payloads of revisits
	awaited map[string]bool // digests that revisits of any package wait for
	digests map[string]bool // awaited digests with a payload in this package
}

// gather collects the captures of a package. The captures of the newest version come from the CDXJ
// index. The captures of containers that only older versions have come from the METS files of these
// versions.
func (a *Archive) gather(ctx context.Context, pkg string, versions []*version, left map[string]int64) (*gatherer,
	error) {
	g := &gatherer{Archive: a, pkg: pkg, sorted: extsort.New(extsort.Options{Memory: 32 << 20}),
		leftOut: map[string]int64{}, waiting: map[string]bool{}, refers: map[string]bool{}, digests: map[string]bool{}}
	if len(versions) == 0 {
		return g, nil
	}
	for why, is := range noRecords {
		if n := left[why]; n > 0 {
			g.leftOut[is] += n
		}
	}
	var err error
	if g.awaited, err = a.awaited(ctx); err != nil {
		return nil, errors.Join(err, g.close())
	}
	err = g.newest(ctx, versions[len(versions)-1])
	if err == nil {
		err = g.older(ctx, versions)
	}
	if err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

// awaited returns the digests of payloads that revisits wait for.
func (a *Archive) awaited(ctx context.Context) (map[string]bool, error) {
	all := map[string]bool{}
	err := each(ctx, a.index.db, func(scan func(...any) error) error {
		var digest string
		err := scan(&digest)
		all[digest] = true
		return err
	}, "SELECT DISTINCT digest FROM waiting")
	return all, err
}

func (g *gatherer) close() error { return g.sorted.Close() }

// everything is a reader who sees all captures. Whether harvesters may have a capture is decided
// for each capture.
var everything = holdings.Reader{Class: holdings.Staff}

func (g *gatherer) newest(ctx context.Context, v *version) error {
	contents := map[string]string{} // by path
	for sum := range v.contents {
		for path, c := range v.Containers {
			if c == v.contents[sum] {
				contents[path] = sum
			}
		}
	}
	for _, q := range []captures.Query{{Packages: []string{g.pkg}}, {Packages: []string{g.pkg}, Unlisted: true}} {
		for c, err := range g.holdings.Captures(ctx, everything, q) {
			if err != nil {
				return err
			}
			sum := contents[c.Record.Container]
			if sum == "" {
				continue // a second path of one content
			}
			if c.Payload == nil && c.Type == warc.TypeRevisit && isDigest(c.Digest) {
				g.waiting[c.Digest] = true
			}
			if c.Payload != nil && c.Payload.Package != g.pkg {
				g.refers[c.Payload.Package] = true
			}
			decided, err := g.decide(c.Capture)
			if err != nil {
				return err
			}
			if err := g.add(c.Capture, sum, decided); err != nil {
				return err
			}
		}
	}
	return nil
}

// decide returns the times at which harvesters gain or lose access to a capture.
func (g *gatherer) decide(c *captures.Capture) (all []change, err error) {
	for _, d := range g.holdings.Changes(g.reader, c) {
		if d.Unknown {
			return nil, errors.New("its access cannot be decided: " + g.why(c))
		}
		if n := len(all); n == 0 || all[n-1].Shown != d.Allowed {
			all = append(all, change{d.From.Unix(), d.Allowed})
		}
	}
	return all, nil
}

func (a *Archive) why(c *captures.Capture) string { return a.holdings.Judge(everything, c).Why }

// older adds the captures that only older versions have.
func (g *gatherer) older(ctx context.Context, versions []*version) error {
	newest := versions[len(versions)-1]
	read := map[string]bool{}
	for _, v := range versions[:len(versions)-1] {
		for sum, path := range v.paths {
			if newest.contents[sum] != nil || read[sum] {
				continue
			}
			read[sum] = true
			c := captures.Container{Package: g.pkg, PackageVersion: v.number, Path: path, SHA512: sum}
			err := g.holdings.Lines(ctx, &c, func(l *captures.Line) error { return g.wasThere(ctx, &l.Capture, sum) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// wasThere adds the captures of older versions. Revisits without a payload were never listed.
func (g *gatherer) wasThere(ctx context.Context, c *captures.Capture, content string) error {
	if c.Type == warc.TypeRevisit && isDigest(c.Digest) {
		if there, err := g.holdings.HasPayload(ctx, c.Digest); err != nil || !there {
			return err
		}
	}
	return g.add(c, content, nil)
}

// add inserts a capture in the order of identifiers, if it is a record.
func (g *gatherer) add(c *captures.Capture, content string, decided []change) error {
	if c.Type == warc.TypeResponse || c.Type == warc.TypeResource {
		for _, d := range c.Digests {
			if g.awaited[d] {
				g.digests[d] = true
			}
		}
	}
	identifier, why := identify(g.pkg, c)
	if why == "" && c.Type == warc.TypeRevisit && c.Payload == nil && decided != nil {
		why = outRevisit
	}
	if why != "" {
		if len(decided) > 0 && decided[0].Shown && noRecords[why] == "" { // noRecords are already counted
			g.leftOut[why]++
		}
		return nil
	}
	text, err := json.Marshal(place{content, c.Record.Order, mimeOf(c.MIME), c.Host(), decided})
	if err != nil {
		return err
	}
	return g.sorted.Add([]byte(identifier), text)
}

// identify returns the identifier of a capture, or the reason why it is not a record.
func identify(pkg string, c *captures.Capture) (identifier, why string) {
	switch scheme, _, _ := strings.Cut(c.URL, ":"); {
	case c.URL == "":
		return "", outNoURL
	case strings.EqualFold(scheme, "dns"), strings.EqualFold(scheme, "whois"):
		return "", outWebsite
	case c.Type == warc.TypeRevisit && !isDigest(c.Digest):
		return "", outUnstated
	}
	of := Capture{URL: c.URL, Date: dateOf(c), Mark: markOf(pkg, c.ID, sumOf(c))}
	if identifier = of.Identifier(); len(identifier) > protocol.MaxIdentifier {
		return "", outTooLong
	}
	return identifier, ""
}

// dateOf returns the date of a capture in whole seconds, or zero if it has none.
func dateOf(c *captures.Capture) time.Time {
	t, err := time.Parse(dateForm, c.Timestamp)
	if err != nil {
		return time.Time{}
	}
	return t
}

// row is a record on its way into a batch.
type row struct {
	id         int64 // 0 if new
	identifier string
	sets       [4]int64 // mime, major, host, year
	in         []presence
	now        []change
	was        *span // its state in the index now; nil if it has none
}

// rows iterates over the records of the package in the order of their identifiers. It also yields
// published records that no version contains any more.
func (p *publication) rows(ctx context.Context, g *gatherer, yield func(*row) error) error {
	k, err := p.openKnown(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = k.rows.Close() }() // its error was checked
	var r *row
	flush := func() error {
		if r == nil {
			return nil
		}
		return yield(r)
	}
	err = g.sorted.Each(func(key, value []byte) error {
		var e place
		if err := json.Unmarshal(value, &e); err != nil {
			return err
		}
		if r == nil || r.identifier != string(key) {
			if err := flush(); err != nil {
				return err
			}
			if err := k.before(string(key), yield); err != nil {
				return err
			}
			if r, err = p.row(ctx, k, string(key), &e); err != nil {
				return err
			}
		}
		p.present(r, &e)
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err == nil {
		err = k.before("", yield)
	}
	return err
}

// row returns the row of a record, and creates it if it is missing.
func (p *publication) row(ctx context.Context, k *known, identifier string, e *place) (*row, error) {
	if k.at != nil && k.at.identifier == identifier {
		r := k.at
		r.in = make([]presence, len(p.versions))
		return r, k.next()
	}
	c, err := ParseIdentifier(identifier)
	if err != nil {
		return nil, err
	}
	r := &row{identifier: identifier, in: make([]presence, len(p.versions))}
	major, _, _ := strings.Cut(e.MIME, "/")
	for i, spec := range []string{protocol.MIMESet(e.MIME), protocol.MIMESet(major), hostSet(e.Host), yearSet(&c)} {
		if r.sets[i], err = p.specs.id(ctx, spec, ""); err != nil {
			return nil, err
		}
	}
	added, err := p.insert.record.ExecContext(ctx, p.pkg, int64(c.Mark), identifier, r.sets[0], r.sets[1], r.sets[2],
		r.sets[3])
	if err == nil {
		r.id, err = added.LastInsertId()
	}
	return r, err
}

// present adds the versions in which the record can be shown from the given place.
func (p *publication) present(r *row, e *place) {
	for i, v := range p.versions {
		if c := v.contents[e.Content]; c != nil && c.Never == "" && !c.Viral[e.Order] && r.in[i].container == nil {
			r.in[i] = presence{c, e.Order}
			if i == len(p.versions)-1 {
				r.now = e.Now
			}
		}
	}
}

// known iterates over the indexed records of a package in the order of their identifiers.
type known struct {
	rows     *sql.Rows
	versions int
	at       *row // nil at the end
}

func (p *publication) openKnown(ctx context.Context) (*known, error) {
	rows, err := p.tx.QueryContext(ctx,
		`SELECT r.id, r.identifier, r.mime, r.major, r.host, r.year, b.stamp, b.deleted, b.description FROM record r
		LEFT JOIN batch b ON b.id = (SELECT l.batch FROM listed l CROSS JOIN batch c ON c.id = l.batch WHERE `+
			`l.record = r.id AND c.stamp <= ?2 AND c.until > ?2)
		WHERE r.package = ?1 ORDER BY r.identifier`, p.pkg, p.next)
	if err != nil {
		return nil, err
	}
	k := &known{rows: rows, versions: len(p.versions)}
	return k, errors.Join(k.next(), rows.Err())
}

func (k *known) next() error {
	k.at = nil
	if !k.rows.Next() {
		return k.rows.Err()
	}
	r := &row{in: make([]presence, k.versions)}
	var stamp, deleted, description sql.NullInt64
	err := k.rows.Scan(&r.id, &r.identifier, &r.sets[0], &r.sets[1], &r.sets[2], &r.sets[3], &stamp, &deleted,
		&description)
	if err != nil {
		return err
	}
	if stamp.Valid {
		r.was = &span{from: stamp.Int64, deleted: deleted.Int64 != 0, description: description.Int64}
	}
	k.at = r
	return nil
}

// before yields the records whose identifiers come before an identifier, or all remaining records
// if it is "". No version contains these records any more.
func (k *known) before(identifier string, yield func(*row) error) error {
	for k.at != nil && (identifier == "" || k.at.identifier < identifier) {
		r := k.at
		if err := k.next(); err != nil {
			return err
		}
		if r.was == nil {
			continue
		}
		if err := yield(r); err != nil {
			return err
		}
	}
	return nil
}

// maxHost is the longest host for a set. Longer names do not exist (RFC 1035, 2.3.4).
const maxHost = 255

func hostSet(host string) string {
	if host == "" || len(host) > maxHost {
		return ""
	}
	return protocol.HostSet(host)
}

func yearSet(c *Capture) string {
	if c.Date.IsZero() {
		return ""
	}
	return protocol.YearSet(c.Date.UTC().Year())
}

// unknownType is the media type of captures without one (RFC 9110, 8.3).
const unknownType = "application/octet-stream"

func mimeOf(declared string) string {
	if declared == "" {
		return unknownType
	}
	return declared
}
