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

// Row is one URL that was not captured.
type Row struct {
	Reason model.Miss `json:"reason"`
	Host   string     `json:"host"` // "" if the URL has none
	URL    string     `json:"url"`  // as logged, without a password
	// of the attempt; zero if the log has none. In the crawler's time if the zone is unknown
	Time    time.Time `json:"time"`
	Status  int       `json:"status"`
	Words   string    `json:"words,omitempty"`   // meaning of the status, or the crawler's rule
	Message string    `json:"message,omitempty"` // the crawler's; may name other URLs
	Log     int       `json:"log"`               // index in Logs; -1 if unknown
	Line    int64     `json:"line"`              // in the log, from 1; 0 if unknown
}

// group is the position of the rows of one reason and host.
type group struct {
	Reason model.Miss `json:"reason"`
	Host   string     `json:"host"`
	N      int64      `json:"n"`
	At     int64      `json:"at"` // in the file
	To     int64      `json:"to"`
}

// head is the summary of a list.
type head struct {
	Package  string               `json:"package"`
	Version  int                  `json:"version"`
	Harvest  int                  `json:"harvest"`
	Attempts int64                `json:"attempts"` // in the logs
	Total    int64                `json:"total"`    // attempts without a capture
	Odd      int64                `json:"odd"`      // unreadable lines
	Reasons  map[model.Miss]int64 `json:"reasons"`
	Logs     []string             `json:"logs"`     // paths in the package
	Problems []string             `json:"problems"` // read errors
	Groups   int64                `json:"groups"`   // their offset in the file
	End      int64                `json:"end"`      // the offset of this head
}

// trailer ends a file with the offset of the head. A file without it is from another version, or
// incomplete.
const trailer = "quire missed 1 %019d\n"

const trailerSize = len("quire missed 1 ") + 20

// maxHead limits the size of a head.
const maxHead = 64 << 20

// List is an open list.
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
		return errors.New("not a list of URLs that were not captured")
	}
	text := make([]byte, at-from)
	if _, err := l.file.ReadAt(text, from); err != nil {
		return err
	}
	return json.Unmarshal(text, &l.head)
}

// Close closes the list.
func (l *List) Close() error { return l.file.Close() }

// Attempts returns the number of attempts in the logs, or 0 if there is no log.
func (l *List) Attempts() int64 { return l.head.Attempts }

// Total returns the number of URLs not captured; Of returns the number for one reason.
func (l *List) Total() int64 { return l.head.Total }

// Of returns the number of URLs not captured for a reason.
func (l *List) Of(reason model.Miss) int64 { return l.head.Reasons[reason] }

// Odd returns the number of unreadable log lines.
func (l *List) Odd() int64 { return l.head.Odd }

// Problems returns the harvests or logs that could not be read, or not completely.
func (l *List) Problems() []string { return l.head.Problems }

// Logs returns the paths of all logs in the list, in the package.
func (l *List) Logs() []string { return l.head.Logs }

// Log returns the path of a log in the package; "" if unknown.
func (l *List) Log(n int) string {
	if n < 0 || n >= len(l.head.Logs) {
		return ""
	}
	return l.head.Logs[n]
}

// Query selects rows.
type Query struct {
	Reason model.Miss // "" means all
	Host   string     // "" means all
	From   int64      // position to resume: Next of the previous page
	Most   int        // rows
}

// Host is the number of URLs not captured on one host.
type Host struct {
	Name string
	N    int64
}

// Page is a part of a list.
type Page struct {
	Rows  []Row
	Total int64  // selected, on all pages
	Hosts []Host // hosts with the most rows for the reason, regardless of Query.Host
	Next  int64  // position of the next page; 0 for the last page
}

// hostsShown is the number of hosts that a page names.
const hostsShown = 15

// Page returns a part of the selected rows, without access control: it reads these rows in place,
// and scans the groups before them.
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

// mostHosts limits the number of hosts counted at once. The counts of a host for several reasons
// are added up.
const mostHosts = 10_000

// host adds the count of a group. Above the limit, it drops half of the hosts: the hosts with the
// lowest counts. Frequent hosts are still found, unless all hosts are equally frequent.
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

// groups iterates over the groups, stored after the rows.
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

// rows adds the rows between two offsets to a page while there is room, and notes the offset of the
// next row.
func (l *List) rows(p *Page, from, to int64, most int) error {
	if len(p.Rows) >= most {
		p.Next = from
		return nil
	}
	in := json.NewDecoder(io.NewSectionReader(l.file, from, to-from))
	for from+in.InputOffset()+1 < to { // the last row is followed by its line end
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
