package pages

import (
	"encoding/csv"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quire/access/search"
	"quire/internal/csvcell"
)

// mostTrends is the number of queries that one page compares.
const mostTrends = 5

// trends is the page of words over time: for each query, the pages of each year with its words,
// and their share of all pages that the archive has of that year.
type trends struct {
	Title, Action string
	Fields        []trendField
	Kept          []field // hidden fields of the form
	Problem       string
	Notes         []string
	Indexing      string
	Lines         []trendLine
	Years         []trendYear
	Most          string // the largest share, at the top of the chart
	First, Last   string // years at the ends of the chart
	Files         bool   // files are counted, not pages
	CSV           string
}

// trendField is an input of the form.
type trendField struct{ Label, Value string }

// trendLine is one query: its curve, and its pages by year.
type trendLine struct {
	Query   string
	Kind    int      // of its stroke
	Strokes []string // points of the curve; a year without pages interrupts it
	URL     string   // of the search for it
	counts  map[string]int64
}

// trendYear is a row of the table.
type trendYear struct {
	Year  string
	Pages int64
	Cells []trendCell
}

type trendCell struct {
	Count int64
	Share string
	URL   string
	share float64
}

// The chart, in the units of its SVG.
const (
	trendWide = 1000
	trendHigh = 300
)

// trends answers /trends and /trends.csv.
func (s *site) trends(q *request, asCSV bool) (answer, error) {
	if s.Search == nil {
		return answer{}, errNotFound
	}
	v, _ := url.ParseQuery(q.place.Arguments) // unreadable parts are not from our pages
	a := readAsked(q.place.Arguments)
	a.Order, a.From = search.Relevance, 0
	a.Filters = slices.DeleteFunc(a.Filters, func(f search.Filter) bool { return f.Field == search.Year })
	p := trends{Title: s.words.T("trends.title"), Action: s.ui.Trends(), Kept: a.fields(), Notes: s.unreadDates(a)}
	queries := trendQueries(v["q"])
	for i := range mostTrends {
		f := trendField{Label: s.words.T("trends.word", i+1)}
		if i < len(queries) {
			f.Value = queries[i]
		}
		p.Fields = append(p.Fields, f)
	}
	if len(queries) > 0 {
		if err := s.trendsOf(q, &p, a, queries); err != nil {
			return answer{}, err
		}
	}
	if asCSV {
		return answer{stream: func(w http.ResponseWriter) { s.trendsCSV(w, &p) }}, nil
	}
	return answer{template: "trends.html", title: p.Title, body: p, private: true}, nil
}

// trendQueries returns the queries that are not empty, each once.
func trendQueries(all []string) (some []string) {
	for _, q := range all {
		if q = strings.TrimSpace(q); q != "" && len([]rune(q)) <= search.MaxQuery && !slices.Contains(some, q) &&
			len(some) < mostTrends {
			some = append(some, q)
		}
	}
	return some
}

// trendsOf counts the pages of each query and of the whole, by year.
func (s *site) trendsOf(q *request, p *trends, a asked, queries []string) error {
	level, err := s.levelOf(q, a, queries)
	if err != nil {
		return err
	}
	for i, text := range queries {
		one := a
		one.Text, one.Level = text, level
		l := trendLine{Query: text, Kind: i + 1, URL: one.at(s.ui)}
		if l.counts, err = s.byYear(q, one, p); err != nil {
			return err
		}
		p.Lines = append(p.Lines, l)
	}
	p.Files = level == search.Bytestreams
	whole := a
	whole.Text, whole.Level = "", level
	all, err := s.byYear(q, whole, p)
	if err != nil {
		return err
	}
	var buckets []bucket
	for year := range all {
		buckets = append(buckets, bucket{Period: year})
	}
	for _, year := range years(buckets) {
		p.Years = append(p.Years, s.trendYear(whole, year, all[year], p.Lines))
	}
	s.draw(p)
	values := url.Values{"q": queries}
	for _, f := range p.Kept {
		values.Add(f.Name, f.Value)
	}
	p.CSV = string(s.ui) + "/trends.csv?" + values.Encode()
	return nil
}

// levelOf returns the level at which all queries are counted: that of files as soon as one query asks for
// files, as type:pdf does. Shares of different levels cannot be compared.
func (s *site) levelOf(q *request, a asked, queries []string) (search.Level, error) {
	for _, text := range queries {
		a.Text, a.From, a.Limit = text, 0, 1
		r, err := s.Search.Query(q.Context(), q.who, a.Query)
		if err != nil {
			return "", err
		}
		if r.Level == search.Bytestreams {
			return r.Level, nil
		}
	}
	return a.Level, nil
}

// byYear returns the hits of a query by year of capture, and adds its notes to the page.
func (s *site) byYear(q *request, a asked, p *trends) (map[string]int64, error) {
	a.From, a.Limit = 0, 1
	r, err := s.Search.Query(q.Context(), q.who, a.Query)
	if err != nil {
		return nil, err
	}
	p.Notes, p.Indexing = append(p.Notes, r.Notes...), r.Indexing
	counts := map[string]int64{}
	for _, f := range r.Facets {
		if f.Field != search.Year {
			continue
		}
		for _, v := range f.Values {
			counts[v.Value] = int64(v.Count)
		}
	}
	return counts, nil
}

func (s *site) trendYear(a asked, year string, pages int64, lines []trendLine) trendYear {
	y := trendYear{Year: year, Pages: pages}
	for _, l := range lines {
		c := trendCell{Count: l.counts[year]}
		if pages > 0 {
			c.share = float64(c.Count) / float64(pages)
			c.Share = s.percent(c.share)
		}
		if c.Count > 0 {
			one := a.with(search.Filter{Field: search.Year, Value: year})
			one.Text = l.Query
			c.URL = one.at(s.ui)
		}
		y.Cells = append(y.Cells, c)
	}
	return y
}

// percent writes a share with two or three digits.
func (s *site) percent(share float64) string {
	const whole = 100
	p := share * whole
	precision := 1
	if p > 0 && p < 1 {
		precision = 2 - int(math.Ceil(math.Log10(p)))
	}
	return s.words.T("number.percent", strings.ReplaceAll(strconv.FormatFloat(p, 'f', precision, 64), ".",
		s.words.T("number.decimal")))
}

// draw makes the curves: the share of each year, in the middle of its column.
func (s *site) draw(p *trends) {
	most := 0.0
	for _, y := range p.Years {
		for _, c := range y.Cells {
			most = max(most, c.share)
		}
	}
	if most == 0 {
		return
	}
	p.Most, p.First, p.Last = s.percent(most), p.Years[0].Year, p.Years[len(p.Years)-1].Year
	column := float64(trendWide) / float64(len(p.Years))
	for i := range p.Lines {
		var stroke []point
		for n, y := range p.Years {
			if y.Pages == 0 { // no pages, so no share
				p.Lines[i].add(stroke, column)
				stroke = nil
				continue
			}
			stroke = append(stroke, point{(float64(n) + .5) * column, trendHigh * (1 - y.Cells[i].share/most)})
		}
		p.Lines[i].add(stroke, column)
	}
}

// point is a place in the chart.
type point struct{ x, y float64 }

// add adds a piece of the curve. The piece of a single year is a short line.
func (l *trendLine) add(stroke []point, column float64) {
	switch len(stroke) {
	case 0:
		return
	case 1:
		at := stroke[0]
		stroke = []point{{at.x - column/4, at.y}, {at.x + column/4, at.y}}
	}
	var points []string
	for _, at := range stroke {
		points = append(points, fmt.Sprintf("%.1f,%.1f", at.x, at.y))
	}
	l.Strokes = append(l.Strokes, strings.Join(points, " "))
}

// trendsCSV writes the table: year, pages, and for each query its pages and their share.
func (s *site) trendsCSV(w http.ResponseWriter, p *trends) {
	out := s.table(w, "trends.csv")
	head := []string{"year", "total"}
	for _, l := range p.Lines {
		head = append(head, csvcell.Text(l.Query), "share of "+l.Query)
	}
	_ = out.Write(head) // the writer keeps its first error
	for _, y := range p.Years {
		row := []string{y.Year, strconv.FormatInt(y.Pages, 10)}
		for _, c := range y.Cells {
			row = append(row, strconv.FormatInt(c.Count, 10), strconv.FormatFloat(c.share, 'f', 6, 64))
		}
		_ = out.Write(row)
	}
	out.Flush()
}

// table begins the answer with a CSV file (RFC 4180).
func (s *site) table(w http.ResponseWriter, name string) *csv.Writer {
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("X-Robots-Tag", "noindex")
	return csv.NewWriter(w)
}
