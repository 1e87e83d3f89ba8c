package wacz

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"quire/format/fault"
)

// Page is one line of a page list.
type Page struct {
	ID     string
	URL    string
	Title  string
	Time   time.Time // zero if it cannot be read
	TS     string    // as written
	MIME   string
	Status int   // of HTTP; 0 if missing
	Size   int64 // bytes of the page and all its resources; -1 if missing
	Seed   bool
	Depth  int // -1 if missing
	// of Browsertrix: 0 failed, 1 content loaded, 2 all loaded, 3 read, 4 behaviours done; -1 if
	// missing
	LoadState int
	Text      int // bytes of the text extracted from the page

	Line   int64 // from 1
	Offset int64 // of the line, in bytes
}

// maxPage bounds a line, in bytes. It can contain the text of a page.
const maxPage = 16 << 20

// Pages reads a page list, line by line. The first line may be a header for the list; it is not a
// page. An unreadable line is a fault.
func Pages(r io.Reader, report fault.Sink) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		var number, offset int64
		for {
			at := offset
			line, n, long, err := readLine(in)
			if n == 0 {
				if !errors.Is(err, io.EOF) {
					yield(Page{}, err)
				}
				return
			}
			number, offset = number+1, offset+n
			bad := func(problem string) {
				report.Add(fault.Fault{Code: FaultPages, Offset: at,
					Detail: fmt.Sprintf("line %d: %s", number, problem)})
			}
			line = bytes.TrimSpace(trimBOM(line))
			switch {
			case long:
				bad("it exceeds the bound on its length")
			case len(line) == 0 || isHeader(line):
			default:
				page, problem := parsePage(line)
				if problem != "" {
					bad(problem)
				}
				if page.URL == "" {
					break
				}
				if page.Line, page.Offset = number, at; !yield(page, nil) {
					return
				}
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(Page{}, err)
				return
			}
		}
	}
}

// readLine returns a line, its length in bytes, and whether it was too long to keep.
func readLine(in *bufio.Reader) (line []byte, n int64, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		n += int64(len(part))
		if room := maxPage - len(line); room < len(part) {
			long = true
			part = part[:room]
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, n, long, err
		}
	}
}

// isHeader reports whether a line describes the list: it has a format and no URL.
func isHeader(line []byte) bool {
	var h struct {
		Format text `json:"format"`
		URL    text `json:"url"`
	}
	return json.Unmarshal(line, &h) == nil && h.Format != "" && h.URL == ""
}

// parsePage parses one page, with the field names of several tools.
func parsePage(line []byte) (p Page, problem string) {
	var raw struct {
		ID        text            `json:"id"`
		PageID    text            `json:"page_id"`
		URL       text            `json:"url"`
		Title     text            `json:"title"`
		TS        text            `json:"ts"`
		Timestamp text            `json:"timestamp"`
		Date      text            `json:"date"`
		MIME      text            `json:"mime"`
		Status    json.RawMessage `json:"status"`
		Size      json.RawMessage `json:"size"`
		Seed      json.RawMessage `json:"seed"`
		Depth     json.RawMessage `json:"depth"`
		LoadState json.RawMessage `json:"loadState"`
		Text      text            `json:"text"`
	}
	if err := json.Unmarshal(line, &raw); err != nil {
		return p, fmt.Sprintf("it is not JSON: %v", err)
	}
	p = Page{
		ID: first(raw.ID, raw.PageID), URL: string(raw.URL), Title: string(raw.Title),
		TS: first(raw.TS, raw.Timestamp, raw.Date), MIME: string(raw.MIME),
		Status: max(int(size(raw.Status)), 0), Size: size(raw.Size), Depth: int(size(raw.Depth)),
		LoadState: int(size(raw.LoadState)), Text: len(raw.Text),
	}
	_ = json.Unmarshal(raw.Seed, &p.Seed) // a value of any other type means false
	if p.URL == "" {
		return p, "it has no url"
	}
	var err error
	if p.Time, err = ParseTime(p.TS); err != nil {
		return p, fmt.Sprintf("the page has no time: %v", err)
	}
	return p, ""
}
