package rowmatch

import (
	"fmt"
	"strings"

	"quire/metadata/oclc"
	"quire/preserve/aip"
	"quire/preserve/describe"
)

// Described counts the rows of a sheet by their use in a package.
type Described struct {
	Sheet    string `json:"sheet"` // its path in the package
	Rows     int    `json:"rows"`
	Websites int    `json:"websites"` // rows that describe a website of the package
	Pages    int    `json:"pages"`    // rows that describe a page of it
	Absent   int    `json:"absent"`   // rows of websites and pages that were not captured
	Untold   int    `json:"untold"`   // rows of captured pages, in a METS that lists no pages
	Losses   int    `json:"losses"`   // values that MODS cannot hold; the sheet has them
}

// Used is what a sheet states about a package.
type Used struct {
	Described
	Rows    []Row     // those that describe something
	Notes   []string  // for the event of the description
	Unfound []Unfound // rows that describe nothing here, at most MaxUnfound; Absent counts all
}

// Unfound is a row about a website or page that was not captured.
type Unfound struct {
	Row int    `json:"row"`
	URL string `json:"url"`
}

// MaxUnfound is the largest number of rows that Used.Unfound names.
const MaxUnfound = 100

// maxNotes is the largest number of notes. The sheet is in the package.
const maxNotes = 200

// Use decides what becomes of the rows of a sheet. pages: the METS lists pages. version is that of its
// MODS.
func Use(rows []Row, sheet string, pages bool, version string) *Used {
	u := &Used{Described: Described{Sheet: sheet, Rows: len(rows)}}
	for i := range rows {
		u.row(&rows[i], pages, version)
	}
	if more := len(u.Notes) - maxNotes; more > 0 {
		u.Notes = append(u.Notes[:maxNotes], fmt.Sprintf("and %d more of these", more))
	}
	return u
}

func (u *Used) row(r *Row, pages bool, version string) {
	note := func(format string, args ...any) { u.Notes = append(u.Notes, fmt.Sprintf(format, args...)) }
	switch {
	case r.Level == describe.Collection:
		note("row %d describes a collection: see the sheet", r.Row)
		return
	case !r.Found():
		if u.Absent++; u.Absent <= MaxUnfound {
			url := strings.Join(r.Record.Values(oclc.URL), ", ")
			u.Unfound = append(u.Unfound, Unfound{r.Row, url})
			note("row %d describes %.300s, which was not captured here", r.Row, url)
		}
		return
	case r.Level == describe.Page && !pages:
		u.Untold++
		note("row %d describes the page %s: see the sheet, for this METS tells no pages", r.Row, r.Captures[0].URI)
		return
	case r.Level == describe.Page:
		u.Pages++
	default:
		u.Websites++
	}
	u.Rows = append(u.Rows, *r)
	how := "a seed of the harvest; no page was captured at it"
	if len(r.Captures) > 0 {
		how = fmt.Sprintf("%s, by %s", r.Captures[0].URI, r.Captures[0].How)
	}
	id := aip.SheetDmdID(r.Row)
	note("%s (row %d): %s", id, r.Row, how)
	for _, s := range r.Record.Values(oclc.SourceOfDescription) {
		note("%s, source of description: %s", id, s)
	}
	_, lost := describe.ToMODS(*r.Description, version)
	for _, l := range lost {
		note("%s, not in MODS: %s %.200q: %s", id, l.Element.Label(), l.Value, l.Why)
	}
	u.Losses += len(lost)
}

// OfWebsite returns the sections about the website itself.
func (u *Used) OfWebsite() []string { return u.sections(func(r *Row) bool { return r.Whole }) }

// OfHarvest returns the sections about one harvest but not all.
func (u *Used) OfHarvest(n int) []string {
	return u.sections(func(r *Row) bool { return !r.Whole && r.Harvests[n] })
}

func (u *Used) sections(is func(*Row) bool) (ids []string) {
	for i := range u.Rows {
		if r := &u.Rows[i]; r.Level == describe.Site && is(r) {
			ids = append(ids, aip.SheetDmdID(r.Row))
		}
	}
	return ids
}

// At identifies a record: the number of its container, and its own there, from 1.
type At struct {
	Container int
	Order     int64
}

// OfPages returns the sections about each page, by its record.
func (u *Used) OfPages() map[At][]string {
	all := map[At][]string{}
	for i := range u.Rows {
		r := &u.Rows[i]
		if r.Level != describe.Page {
			continue
		}
		for _, c := range r.Captures {
			at := At{c.Container, c.Order}
			all[at] = append(all[at], aip.SheetDmdID(r.Row))
		}
	}
	return all
}

// Title returns the title of the only website that the sheet describes, and its source. It returns ""
// if the sheet describes no website or several.
func (u *Used) Title() (title, source string) {
	for i := range u.Rows {
		r := &u.Rows[i]
		titles := r.Record.Values(oclc.Title)
		switch {
		case r.Level != describe.Site || len(titles) == 0:
		case title != "":
			return "", ""
		default:
			title, source = titles[0], fmt.Sprintf("row %d of the sheet %s", r.Row, u.Sheet)
		}
	}
	return title, source
}
