package missed

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"quire/model"
)

// Row is one URL that was wanted and not captured.
type Row struct {
	Reason model.Miss `json:"reason"`
	Host   string     `json:"host"` // "" when the URL has none
	URL    string     `json:"url"`  // as the log writes it, without a password
	// of the attempt; zero when the log tells none. Where its zone is not known, on the crawler's
	// clock
	Time    time.Time `json:"time"`
	Status  int       `json:"status"`
	Words   string    `json:"words,omitempty"`   // what the status means, or the rule that decided
	Message string    `json:"message,omitempty"` // of the crawler, which may name other URLs
	Log     int       `json:"log"`               // in Logs; -1 when it is not known
	Line    int64     `json:"line"`              // in the log, from 1; 0 when it is not known
}

// group is where the rows of one reason and host lie.
type group struct {
	Reason model.Miss `json:"reason"`
	Host   string     `json:"host"`
	N      int64      `json:"n"`
	At     int64      `json:"at"` // in the file
	To     int64      `json:"to"`
}

// head is what a list says of itself.
type head struct {
	Package  string               `json:"package"`
	Version  int                  `json:"version"`
	Harvest  int                  `json:"harvest"`
	Attempts int64                `json:"attempts"` // that the logs tell of
	Total    int64                `json:"total"`    // of these, missed
	Odd      int64                `json:"odd"`      // lines that cannot be read
	Reasons  map[model.Miss]int64 `json:"reasons"`
	Logs     []string             `json:"logs"`     // paths in the package
	Problems []string             `json:"problems"` // what could not be read
	Groups   int64                `json:"groups"`   // where they begin in the file
	End      int64                `json:"end"`      // and where this stands
}

// trailer ends a file: where the head stands. What does not end so was not written by this version.
const trailer = "quire missed 1 %019d\n"

const trailerSize = len("quire missed 1 ") + 20

// maxHead bounds what is read as a head.
const maxHead = 64 << 20

// List is a list that is open for reading.
type List struct {
	head
	file *os.File
}

func openList(path string) (*List, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	l := &List{file: f}
	if err := l.readHead(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return l, nil
}

func (l *List) readHead() error {
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	var end [trailerSize]byte
	at := info.Size() - int64(trailerSize)
	if _, err := l.file.ReadAt(end[:], max(at, 0)); err != nil {
		return err
	}
	var from int64
	if _, err := fmt.Sscanf(string(end[:]), trailer, &from); err != nil || from < 0 || from > at || at-from > maxHead {
		return errors.New("this is no list of what was missed")
	}
	text := make([]byte, at-from)
	if _, err := l.file.ReadAt(text, from); err != nil {
		return err
	}
	return json.Unmarshal(text, &l.head)
}

// Close closes it.
func (l *List) Close() error { return l.file.Close() }

// Attempts is how many the logs tell of; 0 when there is no log.
func (l *List) Attempts() int64 { return l.head.Attempts }

// Total is how many of them got nothing, and Of how many for one reason.
func (l *List) Total() int64 { return l.head.Total }

// Of is how many were missed for a reason.
func (l *List) Of(reason model.Miss) int64 { return l.head.Reasons[reason] }

// Odd is how many lines of the logs cannot be read.
func (l *List) Odd() int64 { return l.head.Odd }

// Problems tells which harvests or logs could not be read, or not to their end.
func (l *List) Problems() []string { return l.head.Problems }

// Logs are the paths in the package of all logs that are told of.
func (l *List) Logs() []string { return l.head.Logs }

// Log is the path of a log in the package; "" when it is not known.
func (l *List) Log(n int) string {
	if n < 0 || n >= len(l.head.Logs) {
		return ""
	}
	return l.head.Logs[n]
}

// Query chooses rows.
type Query struct {
	Reason model.Miss // "" is each
	Host   string     // "" is each
	From   int64      // where to go on: Next of the page before
	Most   int        // rows
}

// Host is how often something was missed on one host.
type Host struct {
	Name string
	N    int64
}

// Page is a part of a list.
type Page struct {
	Rows  []Row
	Total int64  // that were chosen, on all pages
	Hosts []Host // those with the most of what was chosen, Query.Host left aside
	Next  int64  // where the next page begins; 0 when this is the last
}

// hostsShown is how many hosts a page names.
const hostsShown = 15

// Page gives a part of what was chosen, whoever asks: its rows are read where they lie, and groups
// up to them looked through.
func (l *List) Page(q Query) (*Page, error) {
	p := &Page{}
	hosts := map[string]int64{}
	for g, err := range l.groups() {
		switch {
		case err != nil:
			return nil, err
		case q.Reason != "" && g.Reason != q.Reason:
			continue
		}
		p.host(hosts, g)
		if q.Host != "" && g.Host != q.Host {
			continue
		}
		p.Total += g.N
		if g.To <= q.From || p.Next != 0 {
			continue
		}
		if err := l.rows(p, max(g.At, q.From), g.To, q.Most); err != nil {
			return nil, err
		}
	}
	p.sortHosts(hosts)
	return p, nil
}

// mostHosts bounds how many hosts are counted beside each other: those of several reasons are added
// up.
const mostHosts = 10_000

// host counts. Beyond a bound, the half with the fewest is forgotten: those with the most are found
// all the same, unless all have alike.
func (p *Page) host(all map[string]int64, g group) {
	if g.Host == "" {
		return
	}
	if all[g.Host] += g.N; len(all) <= mostHosts {
		return
	}
	some := sorted(all)
	for _, h := range some[len(some)/2:] {
		delete(all, h.Name)
	}
}

func sorted(all map[string]int64) (some []Host) {
	for name, n := range all {
		some = append(some, Host{name, n})
	}
	slices.SortFunc(some, func(a, b Host) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Name, b.Name))
	})
	return some
}

func (p *Page) sortHosts(all map[string]int64) {
	p.Hosts = sorted(all)
	p.Hosts = p.Hosts[:min(len(p.Hosts), hostsShown)]
}

// groups gives the groups, as they lie behind the rows.
func (l *List) groups() iter.Seq2[group, error] {
	return func(yield func(group, error) bool) {
		in := json.NewDecoder(bufio.NewReaderSize(io.NewSectionReader(l.file, l.head.Groups, l.head.End-l.head.Groups),
			64<<10))
		for {
			var g group
			err := in.Decode(&g)
			if errors.Is(err, io.EOF) || !yield(g, err) || err != nil {
				return
			}
		}
	}
}

// rows adds the rows between two places to a page, as long as there is room, and notes where the
// next would stand.
func (l *List) rows(p *Page, from, to int64, most int) error {
	if len(p.Rows) >= most {
		p.Next = from
		return nil
	}
	in := json.NewDecoder(io.NewSectionReader(l.file, from, to-from))
	for from+in.InputOffset()+1 < to { // behind the last row is the end of its line
		if len(p.Rows) >= most {
			p.Next = from + in.InputOffset()
			return nil
		}
		var r Row
		err := in.Decode(&r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("byte %d of the list: %w", from, err)
		}
		p.Rows = append(p.Rows, r)
	}
	return nil
}
