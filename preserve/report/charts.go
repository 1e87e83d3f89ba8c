package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// Chart is a table with bars on a page. Its names are in the order of the rows.
type Chart struct {
	Title, Heading, Counted string // headings of the table, of the names and of the counts
	Order                   string // of the rows, in words; "" for the most frequent first
	Rows                    []Row
}

// chartsPage is a page with several tables.
type chartsPage struct {
	Title  string
	Notes  []string
	Charts []chart
}

// Charts writes a self-contained page with tables and bars.
func Charts(w io.Writer, title string, notes []string, all ...Chart) error {
	page := chartsPage{Title: title, Notes: notes}
	for i := range all {
		c := chartOf(fmt.Sprint("chart-", i), all[i].Title, all[i].Heading, all[i].Rows, len(all[i].Rows))
		c.count(all[i].Counted)
		c.Plain = c.Plain || !slices.ContainsFunc(all[i].Rows, func(r Row) bool { return r.Containers > 0 })
		if all[i].Order != "" {
			c.Order = all[i].Order
		}
		page.Charts = append(page.Charts, c)
	}
	var out bytes.Buffer
	err := pages.ExecuteTemplate(&out, "charts", page)
	if err == nil {
		_, err = out.WriteTo(w)
	}
	if err != nil {
		return fmt.Errorf("writing the page %q: %w", title, err)
	}
	return nil
}

// Chart returns the table as a chart.
func (t *Table) Chart() Chart {
	h := headings[t.By]
	c := Chart{Title: h[0], Heading: h[1], Counted: h[2], Rows: t.all()}
	if t.By == ByYear {
		c.Order = "in their order"
	}
	return c
}

// Title returns the heading of the table, with its scope.
func (t *Table) Title() string { return t.title() }

// Title names a part of a repository, after a word such as Formats: " in collection X, 2008 to 2010".
func (s *Scope) Title() string { return s.title() }
