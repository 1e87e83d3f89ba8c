package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"quire/access/search"
	"quire/access/server"
	"quire/holdings"
	"quire/internal/humanize"
	"quire/repository/store"
)

type searchCmd struct {
	Query      []string `arg:"" optional:"" help:"Query: words, \"a phrase\", -not, this OR that, begin*, title:word, host:, type:, year:, date:, language:, collection:. See docs/reference/560_search.md."`
	Level      string   `enum:"page,bytestream,either" default:"either" help:"page: web pages, with all versions of a page together; bytestream: every payload, documents and images too. Default: page. A search for files alone, as by --type pdf, is always at bytestream."`
	Host       []string `placeholder:"HOST" help:"Only this host; can be repeated."`
	Type       []string `placeholder:"TYPE" help:"Only page, text, pdf, document, spreadsheet, presentation, image, audio, video or other."`
	Year       []string `placeholder:"YEAR" help:"Only this year of capture, or a range: 2010-2015."`
	Date       []string `placeholder:"DATE" help:"Only captures of this day, month or range: 2015-03..2015-04-15."`
	Language   []string `placeholder:"CODE" help:"Only this language: en."`
	Collection []string `placeholder:"ID" help:"Only this collection."`
	Package    []string `placeholder:"ID" help:"Only this package."`
	Order      string   `enum:"relevance,newest,oldest" default:"relevance" help:"Order of hits: relevance (default), newest, oldest."`
	Limit      int      `default:"10" placeholder:"N" help:"Hits to print, at most 100. Default: ${default}."`
	From       int      `default:"0" placeholder:"N" help:"Number of hits to skip."`
	For        string   `enum:"public,onsite,staff" default:"public" help:"Class of the reader: public (default), onsite (in the reading rooms) or staff. Hits exclude captures that are hidden from this class."`
	Config     string   `type:"existingfile" env:"QUIRE_SERVE_CONFIG" placeholder:"FILE" help:"The settings file of quire serve, which names the access rules."`
	repoFlag
	jsonFlag
}

// Run searches.
func (c *searchCmd) Run(ctx context.Context, t *terminal) error {
	query, err := c.query()
	if err != nil {
		return err
	}
	settings, err := settingsFor(t, c.Config, c.For)
	if err != nil {
		return err
	}
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		problem := func(err error) { t.warn(err.Error()) }
		h, err := holdings.Of(ctx, s, holdings.Options{Rules: settings.Rules,
			Unstated: holdings.Verdict(settings.Unstated), Problem: problem})
		if err != nil {
			return err
		}
		return closed(c.search(ctx, t, h, settings, query), h.Close())
	})
}

func (c *searchCmd) search(ctx context.Context, t *terminal, h *holdings.Holdings, settings server.Config,
	query search.Query) error {
	x, err := search.OpenEngine(ctx, filepath.Join(h.Dir(), "text"), h, settings.Search, search.Options{})
	if err != nil {
		return err
	}
	behind, err := x.Behind(ctx)
	if err != nil {
		return closed(err, x.Close())
	}
	if behind != "" {
		t.warn(behind + ": quire index --repo " + c.Repo + " brings the index up to date")
	}
	r, err := x.Query(ctx, holdings.Reader{Class: holdings.Class(c.For)}, query)
	if err != nil {
		return closed(err, x.Close())
	}
	r.Indexing = cmp.Or(r.Indexing, behind)
	if r.Total == 0 {
		t.note(noRightsWarning(ctx, h, settings, c.For))
	}
	if c.JSON {
		return closed(t.json(r), x.Close())
	}
	printHits(t, r, c.From)
	return x.Close()
}

// query returns the query of the flags. An invalid value of a flag is an error; in the text of a
// query it is skipped with a note.
func (c *searchCmd) query() (search.Query, error) {
	q := search.Query{Text: strings.Join(c.Query, " "), From: c.From, Limit: c.Limit}
	for _, flag := range []struct {
		field  string
		values []string
	}{
		{search.Host, c.Host}, {search.Type, c.Type}, {search.Year, c.Year},
		{search.Date, c.Date},
		{search.Language, c.Language}, {search.Collection, c.Collection}, {search.Package, c.Package},
	} {
		for _, v := range flag.values {
			filters, err := search.FiltersOf(flag.field, v)
			if err != nil {
				return q, fmt.Errorf("--%w", err)
			}
			q.Filters = append(q.Filters, filters...)
		}
	}
	if c.Level != "either" {
		q.Level = search.Level(c.Level)
	}
	if c.Order != "relevance" {
		q.Order = search.Order(c.Order)
	}
	return q, nil
}

func printHits(t *terminal, r *search.Result, from int) {
	noun := [2]string{"page", "pages"}
	if r.Level == search.Bytestreams {
		noun = [2]string{"bytestream", "bytestreams"}
	}
	t.printf("%s", humanize.Number(int64(r.Total), noun[0], noun[1]))
	if r.Elsewhere > 0 {
		other, flag := humanize.Number(int64(r.Elsewhere), "bytestream", "bytestreams"), "bytestream"
		if r.Level == search.Bytestreams {
			other, flag = humanize.Number(int64(r.Elsewhere), "page", "pages"), "page"
		}
		t.printf(", and %s, with --level %s", other, flag)
	}
	t.printf("\n")
	if r.Suggestion != "" {
		t.printf("did you mean: %s\n", oneLine([]search.Span{{Text: r.Suggestion}}))
	}
	for _, n := range r.Notes {
		t.printf("note: %s\n", n)
	}
	for i := range r.Hits {
		h := &r.Hits[i]
		t.printf("\n%d. %s\n   %s\n", from+i+1, oneLine(h.Title), h.URL)
		t.printf("   %s · %s · %s · %d of %s", h.Capture.Timestamp, h.Type, h.Capture.Package, h.Matching,
			humanize.Number(int64(h.Versions), "version matches", "versions match"))
		if h.AlsoAt > 0 {
			t.printf(" · also at %s", humanize.Number(int64(h.AlsoAt), "other URL", "other URLs"))
		}
		t.printf("\n")
		if s := oneLine(h.Snippet); s != "" {
			t.printf("   %s\n", s)
		}
	}
	if len(r.Hits) == 0 {
		return
	}
	for _, f := range r.Facets {
		var values []string
		for _, v := range f.Values[:min(len(f.Values), 8)] {
			values = append(values, fmt.Sprintf("%s %d", v.Label, v.Count))
		}
		t.printf("\n%s: %s", f.Field, strings.Join(values, ", "))
	}
	t.printf("\n")
}

// oneLine returns a hit as terminal text, without marks for matches and without control characters.
func oneLine(spans []search.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, b.String())
}

// indexText updates the text index for quire index, and returns a summary of the index.
func indexText(ctx context.Context, t *terminal, h *holdings.Holdings, engine search.Settings, dir string,
	rebuild bool, beside search.Beside, problem func(error)) (search.Summary, error) {
	progress := func(p search.Progress) {
		if p.Package != "" && t.watched() {
			t.line(fmt.Sprintf("text of %s, %s left: %s", p.Package,
				humanize.Number(int64(p.Packages), "package", "packages"),
				humanize.Number(p.Captures, "capture", "captures")))
		}
	}
	x, err := search.OpenEngine(ctx, filepath.Join(dir, "text"), h, engine,
		search.Options{Problem: problem, Progress: progress, Beside: beside})
	if err != nil {
		return search.Summary{}, err
	}
	if rebuild {
		err = x.Clear(ctx)
	}
	if err == nil {
		err = x.Update(ctx)
	}
	t.clearLine()
	var sum search.Summary
	if err == nil {
		sum, err = x.Summary(ctx)
	}
	return sum, closed(err, x.Close())
}
