package pages

import (
	"net/http"
	"strconv"
	"strings"

	"quire/access/address"
	"quire/access/search"
	"quire/internal/csvcell"
)

// mostRows limits the hits in a table. "from" in the address chooses the first one.
const mostRows = 1000

// hitColumns are the columns of the table of hits. URLs and texts are from archived content.
var hitColumns = []string{"url", "timestamp", "title", "snippet", "type", "media_type", "language", "bytes",
	"matching_versions", "versions", "first", "last", "packages", "address"}

// searchCSV answers /search.csv with the hits of a query as a table.
func (s *site) searchCSV(q *request) (answer, error) {
	if s.Search == nil {
		return answer{}, errNotFound
	}
	a := readAsked(q.place.Arguments)
	a.Limit = search.MaxLimit
	if strings.TrimSpace(a.Text) == "" && len(a.Filters) == 0 {
		return answer{}, errNotFound
	}
	if q.Method == http.MethodHead {
		return answer{stream: func(w http.ResponseWriter) { s.table(w, "search.csv") }}, nil
	}
	first, err := s.Search.Query(q.Context(), q.who, a.Query) // an error still has a page
	if err != nil {
		return answer{}, err
	}
	return answer{stream: func(w http.ResponseWriter) { s.writeHits(w, q, a, first) }}, nil
}

// writeHits writes hits, a query for each hundred. If a query fails after the first, it breaks the
// connection, so that no reader takes a part for the whole.
func (s *site) writeHits(w http.ResponseWriter, q *request, a asked, r *search.Result) {
	out := s.table(w, "search.csv")
	_ = out.Write(hitColumns) // the writer keeps its first error
	for end := a.From + mostRows; ; {
		for i := range r.Hits {
			_ = out.Write(s.hitRow(q, &r.Hits[i]))
		}
		if out.Flush(); out.Error() != nil {
			return // the reader has gone
		}
		a.From += search.MaxLimit
		if a.From >= min(end, r.Total) || a.From > search.MaxFrom {
			return
		}
		var err error
		if r, err = s.Search.Query(q.Context(), q.who, a.Query); err != nil {
			s.Problem(err)
			panic(http.ErrAbortHandler)
		}
	}
}

func (s *site) hitRow(q *request, h *search.Hit) []string {
	at, timestamp := s.ui.Versions(address.All, h.URL), ""
	if h.Capture != nil {
		timestamp = h.Capture.Timestamp
		at = s.ui.Banner(address.All, timestamp, h.URL)
	}
	title, snippet := csvcell.Text(unmarked(h.Title)), csvcell.Text(unmarked(h.Snippet))
	return []string{csvcell.Text(h.URL), timestamp, title, snippet, h.Type,
		csvcell.Text(h.MIME), h.Language, strconv.FormatInt(h.Size, 10), strconv.Itoa(h.Matching),
		strconv.Itoa(h.Versions), h.First, h.Last, csvcell.Text(strings.Join(h.Packages, " ")), s.base(q) + at}
}

// unmarked returns a text without its marks, on one line.
func unmarked(spans []search.Span) string {
	var b strings.Builder
	for _, p := range spans {
		b.WriteString(p.Text)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
