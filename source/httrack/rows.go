package httrack

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"

	"quire/format/weburl"
	"quire/internal/lines"
)

// Row is one line of new.txt or old.txt: one response to one request.
type Row struct {
	Line      int64         // from 1
	Offset    int64         // in the file, in bytes
	Clock     time.Duration // time of day, on the crawler's clock
	Size      int64         // bytes kept
	Remote    int64         // bytes that the server announced; -1 without a response
	Flags     string        // "U--M--": update, range, file present, modified, chunked, gzip
	Status    int           // of HTTP, or below 0 HTTrack's own
	Outcome   string        // added, updated, untouched, empty, error
	Message   string        // the server's, or HTTrack's
	MIME      string
	Validator string // "etag:…" or "date:…", which is Last-Modified or, without it, Date
	URL       string // escaped by HTTrack; without a scheme in older versions
	Local     string // path of the file: relative, below the output folder, or absolute; "" for none
	Via       string // page with the link
}

const rowColumns = 10

// parseRow splits a line. Bytes up to 31 are escaped in every column, so every tab is a separator.
// It returns a description of the fault, or "".
func parseRow(line []byte) (Row, string) {
	c := strings.Split(string(line), "\t")
	if len(c) != rowColumns {
		return Row{}, strconv.Itoa(len(c)) + " columns instead of 10"
	}
	r := Row{Flags: c[2], MIME: c[5], Validator: weburl.Unescape(c[6]), URL: c[7], Local: c[8]}
	var err error
	if r.Clock, err = parseClock(c[0]); err != nil {
		return Row{}, "the time is invalid"
	}
	size, remote, ok := strings.Cut(c[1], "/")
	r.Size, err = strconv.ParseInt(size, 10, 64)
	remoteSize, err2 := strconv.ParseInt(remote, 10, 64)
	if r.Remote = remoteSize; !ok || err != nil || err2 != nil {
		return Row{}, "the sizes are invalid"
	}
	if r.Status, err = strconv.Atoi(c[3]); err != nil {
		return Row{}, "the status is not a number"
	}
	outcome, message, ok := strings.Cut(c[4], " ('")
	message, closed := strings.CutSuffix(message, "')")
	if !ok || !closed || r.URL == "" {
		return Row{}, "the outcome or the URL is missing"
	}
	r.Outcome, r.Message = outcome, weburl.Unescape(message)
	via, from := strings.CutPrefix(c[9], "(from ")
	via, closed = strings.CutSuffix(via, ")")
	if !from || !closed {
		return Row{}, "the last column does not name the page with the link"
	}
	r.Via = via
	return r, ""
}

// answered reports whether the row records a server response. In a loop or a repeated attempt,
// HTTrack writes rows that repeat a status without a request.
func (r *Row) answered() bool { return r.Remote >= 0 && r.Status > 0 }

// readRows calls row for each row of the log, and bad for each unreadable line.
func readRows(in io.Reader, row func(*Row) error, bad func(l *lines.Reader, problem string)) error {
	l := lines.NewReader(in)
	for l.Scan() {
		// the heading is repeated when a run continues
		if len(l.Text) == 0 || bytes.HasPrefix(l.Text, []byte("date\tsize")) {
			continue
		}
		r, problem := parseRow(l.Text)
		if l.Long {
			problem = "it is longer than 64 KiB"
		}
		if problem != "" {
			bad(l, problem)
			continue
		}
		r.Line, r.Offset = l.Number, l.Offset
		if err := row(&r); err != nil {
			return err
		}
	}
	return l.Err()
}
