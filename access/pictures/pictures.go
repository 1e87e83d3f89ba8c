package pictures

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"iter"
	"strconv"
	"strings"
	"sync"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
)

// Holdings is the part of holdings that pictures need.
type Holdings interface {
	Captures(ctx context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error]
	Read(ctx context.Context, who holdings.Reader, c *captures.Capture) (*holdings.Content, error)
	Indexed(ctx context.Context) (map[string]string, error)
}

// Pictures is the index of the pictures of a repository. It is safe for concurrent use.
type Pictures struct {
	dir     string
	h       Holdings
	db      *sql.DB
	problem func(error)

	updating sync.Mutex // only one goroutine writes
	tried    time.Time  // when unreadable content was tried again
	limits   limits
	pause    func(ctx context.Context) // lets others write, between packages
	paused   time.Time                 // when End did so
	gathered gathered
}

// limits are limits that tests lower.
type limits struct {
	ranked int           // mentions that are ranked
	judged int           // mentions that are judged in any case
	budget time.Duration // after it, no more mentions are judged
	turn   time.Duration // after it, an update lets others write
	retry  time.Duration // between tries of unreadable content
}

// Open opens the index in a folder, or creates an empty one: see [Pictures.Update]. problem is called
// with errors in the background; it may be nil.
func Open(ctx context.Context, dir string, h Holdings, problem func(error)) (*Pictures, error) {
	if problem == nil {
		problem = func(error) {}
	}
	db, err := openDatabase(ctx, dir)
	return &Pictures{dir: dir, h: h, db: db, problem: problem, pause: pause, limits: limits{ranked: 20_000,
		judged: 3000, budget: 500 * time.Millisecond, turn: time.Second, retry: 10 * time.Minute},
		gathered: gathered{dir: dir}}, err
}

// Close closes the index.
func (p *Pictures) Close() error { return errors.Join(p.gathered.clear(), p.db.Close()) }

// The limits of a query.
const (
	MaxQuery     = 1000 // characters read
	maxWords     = 40
	readAtOnce   = 500  // mentions
	mostFound    = 1000 // pictures that are counted
	maxVersions  = 20   // captures of a picture that are tried
	defaultLimit = 48
)

// Size is a class of widths.
type Size string

// The sizes.
const (
	Small  Size = "small"  // less than 300 pixels wide
	Medium Size = "medium" // 300 to 999
	Large  Size = "large"  // 1000 and more
)

// Sizes are all sizes.
var Sizes = []Size{Small, Medium, Large}

// Query is a search for pictures. The zero value finds all, the newest first.
type Query struct {
	Text   string // words that must all be there, "phrases", -without
	Size   Size   // "" means all
	Colour string // of Colours; "" means all
	From   string // first and last date of the capture: 4 to 14 digits; "" means all
	To     string
	Skip   int
	Limit  int // 0 means 48
}

// Result is the answer to a query, within the rights of the reader.
type Result struct {
	Total    int  // pictures found, each once
	More     bool // there may be more: a limit of the search was reached
	Pictures []Picture
}

// Picture is a picture. Its texts come from archived content, and are untrusted.
type Picture struct {
	Capture       *captures.Capture
	Width, Height int
	Bytes         int64
	Colour        string // "" for unknown
	Alt, Near     string // words of a page that the reader may see; "" for none
	Page          string // URL of that page
	PageTime      string // and the time of its capture
}

// row is a mention that matches.
type row struct {
	id              int64
	pkg, url        string
	digest          string
	time, pageTime  int64
	page, alt, near string
	width, height   int
	bytes           int64
	colour          int
}

// Query runs a query. Errors come only from the machine: every input of a reader is valid.
func (p *Pictures) Query(ctx context.Context, who holdings.Reader, q Query) (*Result, error) {
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	for _, at := range []*string{&q.From, &q.To} {
		if len(*at) < 4 || len(*at) > 14 || strings.Trim(*at, "0123456789") != "" {
			*at = ""
		}
	}
	ids, err := p.match(ctx, &q)
	if ids == nil || err != nil {
		return &Result{}, err
	}
	f := &finding{judge: judge{p: p, who: who, pages: map[string]bool{}}, q: &q, seen: map[string]bool{},
		end: time.Now().Add(p.limits.budget)}
	defer func() { _ = ids.Close() }() // only read
	return &f.Result, f.all(ctx, ids)
}

// finding is a search at work.
type finding struct {
	judge
	q *Query
	Result
	seen   map[string]bool // payloads
	judged int
	end    time.Time // of the search
}

// all judges mentions, in batches, until enough visible pictures are found. How many closed ones are among them
// must not show in the result, so it goes on behind them, for a limited time.
func (f *finding) all(ctx context.Context, ids *sql.Rows) error {
	for more := true; more; {
		var batch []int64
		for len(batch) < readAtOnce {
			if more = ids.Next(); !more {
				break
			}
			var id int64
			if err := ids.Scan(&id); err != nil {
				return err
			}
			batch = append(batch, id)
		}
		rows, err := f.p.mentions(ctx, batch)
		if err != nil {
			return err
		}
		for i := range rows {
			if f.judged++; f.judged > f.p.limits.judged && time.Now().After(f.end) {
				f.More = true
			} else if err := f.add(ctx, &rows[i]); err != nil {
				return err
			}
			if f.More {
				return nil
			}
		}
	}
	return ids.Err()
}

// add adds the picture of a mention, if the reader may see both.
func (f *finding) add(ctx context.Context, m *row) error {
	if f.seen[m.digest] {
		return nil
	}
	if open, err := f.page(ctx, m); err != nil || !open {
		return err
	}
	c, err := f.picture(ctx, m, f.q.To)
	if err != nil || c == nil {
		return err
	}
	if f.Total == mostFound { // visible ones: the number of closed ones is no reader's business
		f.More = true
		return nil
	}
	f.seen[m.digest] = true
	if f.Total++; f.Total <= f.q.Skip || len(f.Pictures) == f.q.Limit {
		return nil
	}
	found := Picture{Capture: c, Width: m.width, Height: m.height, Bytes: m.bytes, Alt: m.alt, Near: m.near,
		Page: m.page}
	if m.colour > 0 && m.colour < len(Colours) {
		found.Colour = Colours[m.colour]
	}
	if m.page != "" {
		found.PageTime = timestamp(m.pageTime)
	} else if err := f.describe(ctx, m.id, &found); err != nil {
		return err
	}
	f.Pictures = append(f.Pictures, found)
	return nil
}

func timestamp(n int64) string { return strconv.FormatInt(n, 10) }

// match returns the numbers of the mentions that match, the best first; nil if there can be none. Words with more
// matches than are ranked tell little of a picture: then the last ones read come first, because ranking all
// takes seconds.
func (p *Pictures) match(ctx context.Context, q *Query) (ids *sql.Rows, err error) {
	text := q.Text
	if r := []rune(text); len(r) > MaxQuery {
		text = string(r[:MaxQuery])
	}
	e := expression(text)
	if e == "" && strings.TrimSpace(text) != "" {
		return nil, nil // it has no word that a picture could have
	}
	where, args, err := q.conditions()
	if err != nil {
		return nil, err
	}
	from, order := `picture p CROSS JOIN mention m ON m.picture = p.id AND m.page = ''`, `p.time DESC, p.id DESC`
	if e != "" {
		from = `words w CROSS JOIN mention m ON m.id = w.rowid CROSS JOIN picture p ON p.id = m.picture`
		where, args = append([]string{`words MATCH ?`}, where...), append([]any{e}, args...)
		var n int
		if err := p.db.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)`, e,
			p.limits.ranked+1).Scan(&n); err != nil {
			return nil, err
		}
		if order = `w.rank, w.rowid DESC`; n > p.limits.ranked {
			order = `w.rowid DESC`
		}
	}
	return p.db.QueryContext(ctx, `SELECT m.id FROM `+from+` WHERE `+strings.Join(where, ` AND `)+` ORDER BY `+order,
		args...)
}

// mentions reads mentions by their numbers, in this order. Those of packages that are being read are left out.
func (p *Pictures) mentions(ctx context.Context, ids []int64) (all []row, err error) {
	list, err := json.Marshal(ids)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	rows, err := p.db.QueryContext(ctx, `SELECT p.id, k.name, p.url, p.digest, p.time, m.page, m.time, m.alt, m.near, `+
		`p.width, p.height, p.bytes, p.colour FROM json_each(?) j CROSS JOIN mention m ON m.id = j.value `+
		`CROSS JOIN picture p ON p.id = m.picture CROSS JOIN package k ON k.id = p.package WHERE k.state <> '' `+
		`ORDER BY j.key`, string(list))
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // only read
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.id, &r.pkg, &r.url, &r.digest, &r.time, &r.page, &r.pageTime, &r.alt, &r.near, &r.width,
			&r.height, &r.bytes, &r.colour); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// conditions returns the filters of a query in SQL.
func (q *Query) conditions() (where []string, args []any, err error) {
	where = []string{`true`}
	switch q.Size {
	case Small:
		where = append(where, `p.width < 300`)
	case Medium:
		where = append(where, `p.width BETWEEN 300 AND 999`)
	case Large:
		where = append(where, `p.width >= 1000`)
	}
	for n, colour := range Colours {
		if n > 0 && colour == q.Colour {
			where, args = append(where, `p.colour = ?`), append(args, n)
		}
	}
	for _, bound := range []struct{ digits, fill, condition string }{{q.From, "00000000000000", `p.time >= ?`},
		{q.To, "99999999999999", `p.time <= ?`}} {
		if bound.digits == "" {
			continue
		}
		at, err := strconv.ParseInt(bound.digits+bound.fill[len(bound.digits):], 10, 64)
		if err != nil {
			return nil, nil, err
		}
		where, args = append(where, bound.condition), append(args, at)
	}
	return where, args, nil
}

// judge asks holdings for the rights of one reader.
type judge struct {
	p     *Pictures
	who   holdings.Reader
	pages map[string]bool
}

// page reports whether the reader may see the page of a mention. The own address of a picture needs none.
func (j *judge) page(ctx context.Context, m *row) (bool, error) {
	if m.page == "" {
		return true, nil
	}
	key := m.pkg + "\n" + m.page + "\n" + timestamp(m.pageTime)
	open, known := j.pages[key]
	if known {
		return open, nil
	}
	at := timestamp(m.pageTime)
	for c, err := range j.p.h.Captures(ctx, j.who, captures.Query{URL: m.page, From: at, To: at,
		Packages: []string{m.pkg}}) {
		if err != nil {
			return false, err
		}
		if open = c.Allowed && c.URL == m.page; open {
			break
		}
	}
	j.pages[key] = open
	return open, nil
}

// picture returns a capture of the same bytes at the same address that the reader may see: the first one, if it is
// open; nil if there is none.
func (j *judge) picture(ctx context.Context, m *row, to string) (*captures.Capture, error) {
	n := 0
	for c, err := range j.p.h.Captures(ctx, j.who, captures.Query{URL: m.url, From: timestamp(m.time), To: to,
		Packages: []string{m.pkg}}) {
		if err != nil {
			return nil, err
		}
		if c.Allowed && c.URL == m.url && digestOf(c.Capture) == m.digest {
			own := *c.Capture
			return &own, nil
		}
		if n++; n == maxVersions {
			break
		}
	}
	return nil, nil
}

// describe adds the words of the first page of a picture that the reader may see.
func (j *judge) describe(ctx context.Context, picture int64, found *Picture) error {
	rows, err := j.p.db.QueryContext(ctx, `SELECT k.name, m.page, m.time, m.alt, m.near FROM mention m `+
		`JOIN picture p ON p.id = m.picture JOIN package k ON k.id = p.package WHERE m.picture = ? AND m.page <> '' `+
		`ORDER BY m.alt = '', m.id LIMIT `+strconv.Itoa(maxMentions), picture)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // only read
	for rows.Next() {
		var m row
		if err := rows.Scan(&m.pkg, &m.page, &m.pageTime, &m.alt, &m.near); err != nil {
			return err
		}
		open, err := j.page(ctx, &m)
		if err != nil {
			return err
		}
		if open {
			found.Alt, found.Near, found.Page, found.PageTime = m.alt, m.near, m.page, timestamp(m.pageTime)
			break
		}
	}
	return rows.Err()
}
