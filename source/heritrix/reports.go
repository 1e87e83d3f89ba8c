package heritrix

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"quire/format/fault"
)

// FaultRow is a report line that does not fit its header.
const FaultRow fault.Code = "REPORT-LINE"

// HostRow is a line of hosts-report.txt. Numbers that the version does not write are -1.
type HostRow struct {
	Host                              string // "dns:" means all look-ups
	URLs, Bytes                       int64
	Robots, Remaining                 int64 // forbidden by robots.txt; still in the queue
	NovelURLs, NovelBytes             int64
	DuplicateURLs, DuplicateBytes     int64 // by digest
	NotModifiedURLs, NotModifiedBytes int64 // as reported by the server
}

// TypeRow is a line of mimetype-report.txt.
type TypeRow struct {
	MIME        string
	URLs, Bytes int64
}

// CodeRow is a line of responsecode-report.txt.
type CodeRow struct {
	Code int
	URLs int64
}

// SeedRow is a line of seeds-report.txt.
type SeedRow struct {
	Code     int
	Status   string // CRAWLED, NOTCRAWLED
	Seed     string
	Redirect string // target of the seed's redirect; or ""
}

// SourceRow is a line of source-report.txt: the number of URLs of a host that a seed led to.
type SourceRow struct {
	Source, Host string
	URLs         int64
}

// Hosts reads hosts-report.txt.
func Hosts(r io.Reader, report fault.Sink) iter.Seq2[HostRow, error] {
	return rows(r, report, func(c *cells) HostRow {
		return HostRow{
			Host: c.word("[host]"), URLs: c.number("[#urls]"), Bytes: c.number("[#bytes]"),
			Robots: c.optional("[#robots]"), Remaining: c.optional("[#remaining]"),
			NovelURLs: c.optional("[#novel-urls]"), NovelBytes: c.optional("[#novel-bytes]"),
			DuplicateURLs: c.optional("[#dup-by-hash-urls]"), DuplicateBytes: c.optional("[#dup-by-hash-bytes]"),
			NotModifiedURLs: c.optional("[#not-modified-urls]"), NotModifiedBytes: c.optional("[#not-modified-bytes]"),
		}
	})
}

// Types reads mimetype-report.txt.
func Types(r io.Reader, report fault.Sink) iter.Seq2[TypeRow, error] {
	return rows(r, report, func(c *cells) TypeRow {
		return TypeRow{MIME: c.word("[mime-types]"), URLs: c.number("[#urls]"), Bytes: c.number("[#bytes]")}
	})
}

// Codes reads responsecode-report.txt. Heritrix 1 writes the code first, Heritrix 3 the number of
// URLs; the header shows the order.
func Codes(r io.Reader, report fault.Sink) iter.Seq2[CodeRow, error] {
	return rows(r, report, func(c *cells) CodeRow {
		return CodeRow{Code: int(c.signed("[rescode]")), URLs: c.number("[#urls]")}
	})
}

// Seeds reads seeds-report.txt.
func Seeds(r io.Reader, report fault.Sink) iter.Seq2[SeedRow, error] {
	return rows(r, report, func(c *cells) SeedRow {
		return SeedRow{Code: int(c.signed("[code]")), Status: c.word("[status]"), Seed: c.word("[seed]"),
			Redirect: c.maybe("[redirect]")}
	})
}

// Sources reads source-report.txt.
func Sources(r io.Reader, report fault.Sink) iter.Seq2[SourceRow, error] {
	return rows(r, report, func(c *cells) SourceRow {
		return SourceRow{Source: c.word("[source]"), Host: c.word("[host]"), URLs: c.number("[#urls]")}
	})
}

// cells are the cells of a line, found by the names in the header. The first fault is kept.
type cells struct {
	header  []string
	words   []string
	problem string
}

// rows reads a report: a header with names in brackets, and lines of words. A line that does not
// fit is a fault.
func rows[Row any](r io.Reader, report fault.Sink, read func(*cells) Row) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		var c cells
		err := scanLines(r, func(line string, offset int64) bool {
			words := strings.Fields(line)
			switch {
			case len(words) == 0:
				return true
			case strings.HasPrefix(words[0], "["):
				c.header = words
				return true
			}
			c.words, c.problem = c.joined(words), ""
			row := read(&c)
			if c.problem != "" {
				report.Add(fault.Fault{Code: FaultRow, Offset: offset,
					Detail: fmt.Sprintf("%s: %.100q", c.problem, line)})
				return true
			}
			return yield(row, nil)
		})
		if err != nil {
			var none Row
			yield(none, err)
		}
	}
}

// joined joins the words of a media type with spaces: until 2005, "not set" in the first column
// meant no type.
func (c *cells) joined(words []string) []string {
	more := len(words) - len(c.header)
	if more <= 0 || len(c.header) == 0 || c.header[0] != "[mime-types]" {
		return words
	}
	return append([]string{strings.Join(words[:more+1], " ")}, words[more+1:]...)
}

// maybe returns the word of a column, or "" if the line or the header ends before it.
func (c *cells) maybe(name string) string {
	for i, h := range c.header {
		if h == name && i < len(c.words) {
			return c.words[i]
		}
	}
	return ""
}

func (c *cells) word(name string) string {
	w := c.maybe(name)
	if w == "" {
		c.wrong("there is no " + name)
	}
	return w
}

func (c *cells) signed(name string) int64 {
	n, err := strconv.ParseInt(c.word(name), 10, 64)
	if err != nil {
		c.wrong(name + " is no number")
	}
	return n
}

func (c *cells) number(name string) int64 {
	n := c.signed(name)
	if n < 0 {
		c.wrong(name + " is below zero")
	}
	return n
}

// optional returns the number of a column that only later versions have.
func (c *cells) optional(name string) int64 {
	if c.maybe(name) == "" {
		return -1
	}
	return c.number(name)
}

func (c *cells) wrong(problem string) {
	if c.problem == "" {
		c.problem = problem
	}
}
