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

// Row is one line of new.txt or old.txt: one answer to one request.
type Row struct {
	Line      int64         // from 1
	Offset    int64         // in the file, in bytes
	Clock     time.Duration // time of day, on the crawler's clock
	Size      int64         // bytes that were kept
	Remote    int64         // bytes that the server announced; -1 when there was no answer
	Flags     string        // "U--M--": update, range, file present, modified, chunked, gzip
	Status    int           // of HTTP, or below 0 HTTrack's own
	Outcome   string        // added, updated, untouched, empty, error
	Message   string        // the server's, or HTTrack's
	MIME      string
	Validator string // "etag:…" or "date:…", of which the date is Last-Modified or, without it, Date
	URL       string // escaped as HTTrack does here; without a scheme in the older versions
	Local     string // where the file was written: relative, below the output folder, or absolute; "" for none
	Via       string // where the link was found
}

const rowColumns = 10

// parseRow takes a line apart. Bytes up to 31 are escaped in every column, so that a tab is a
// border. What is wrong is told in words; "" when nothing is.
func parseRow(line []byte) (Row, string) {
	c := strings.Split(string(line), "\t")
	if len(c) != rowColumns {
		return Row{}, strconv.Itoa(len(c)) + " columns instead of 10"
	}
	r := Row{Flags: c[2], MIME: c[5], Validator: weburl.Unescape(c[6]), URL: c[7], Local: c[8]}
	var err error
	if r.Clock, err = parseClock(c[0]); err != nil {
		return Row{}, "the time is none"
	}
	size, remote, ok := strings.Cut(c[1], "/")
	r.Size, err = strconv.ParseInt(size, 10, 64)
	remoteSize, err2 := strconv.ParseInt(remote, 10, 64)
	if r.Remote = remoteSize; !ok || err != nil || err2 != nil {
		return Row{}, "the sizes are none"
	}
	if r.Status, err = strconv.Atoi(c[3]); err != nil {
		return Row{}, "the status is no number"
	}
	outcome, message, ok := strings.Cut(c[4], " ('")
	message, closed := strings.CutSuffix(message, "')")
	if !ok || !closed || r.URL == "" {
		return Row{}, "there is no outcome, or no URL"
	}
	r.Outcome, r.Message = outcome, weburl.Unescape(message)
	via, from := strings.CutPrefix(c[9], "(from ")
	via, closed = strings.CutSuffix(via, ")")
	if !from || !closed {
		return Row{}, "the last column does not say where the link was found"
	}
	r.Via = via
	return r, ""
}

// answered says whether a server stands behind the row. When HTTrack follows a loop or tries again,
// it writes rows that repeat a status without having asked.
func (r *Row) answered() bool { return r.Remote >= 0 && r.Status > 0 }

// readRows gives each row of the log. A line that cannot be read is told through bad.
func readRows(in io.Reader, row func(*Row) error, bad func(l *lines.Reader, problem string)) error {
	l := lines.NewReader(in)
	for l.Scan() {
		// the head comes again when a run is continued
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
