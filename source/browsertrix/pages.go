package browsertrix

import (
	"context"
	"slices"
	"strconv"
	"time"

	"quire/format/fault"
	"quire/format/wacz"
	"quire/internal/archivefs"
	"quire/internal/secret"
	"quire/model"
	"quire/source"
)

// pageCount has the totals of the lists of pages. The pages themselves are not kept.
type pageCount struct {
	count       int64
	failed      int64
	first, last time.Time
	begun       time.Time // from the containers
	home        string    // page to show first
	homeFrom    string
	seeds       int
}

func (c *pageCount) take(p *wacz.Page) {
	c.count++
	if p.LoadState == 0 || p.Status >= 400 {
		c.failed++
	}
	if p.Time.IsZero() {
		return
	}
	if c.first.IsZero() || p.Time.Before(c.first) {
		c.first = p.Time
	}
	if p.Time.After(c.last) {
		c.last = p.Time
	}
}

// pageFiles returns the lists of pages. The list with the seeds is first.
func (h *Harvest) pageFiles() []string {
	all := h.in("pages", ".jsonl")
	if i := slices.Index(all, h.path(wacz.PagesName)); i > 0 {
		all = slices.Insert(slices.Delete(all, i, i+1), 0, h.path(wacz.PagesName))
	}
	return all
}

// listedPages counts the pages in the lists, and collects the seeds among the pages.
func (r *reading) listedPages(ctx context.Context) error {
	for _, p := range r.pageFiles() {
		err := r.with(p, func(c archivefs.Content) error {
			report := func(f fault.Fault) { r.find(string(f.Code), severityOf(f.Code), p, f.Offset, "%s", f.Detail) }
			for page, err := range wacz.Pages(c, report) {
				if err != nil || ctx.Err() != nil {
					return err
				}
				r.pages.take(&page)
				if page.Seed && r.facts.Spend(len(page.URL), p) {
					r.pages.seeds++
					r.facts.AddSeed(secret.Conceal(page.URL))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if r.pages.seeds > 0 {
		r.facts.Note("seeds", strconv.Itoa(r.pages.seeds)+" pages", "pages with seed in "+r.path("pages"))
	}
	if len(r.about.Seeds) == 0 {
		r.facts.AddSeedOf(secret.Conceal(r.pages.home), r.pages.homeFrom)
	}
	if r.pages.count > 0 {
		r.about.Counted = append(r.about.Counted,
			model.Field{Name: "pages", Value: strconv.FormatInt(r.pages.count, 10)},
			model.Field{Name: "pages that failed", Value: strconv.FormatInt(r.pages.failed, 10)})
	}
	return ctx.Err()
}

// pageFetch converts a page to a Fetch.
func pageFetch(p *wacz.Page) model.Fetch {
	f := model.Fetch{URI: secret.Conceal(p.URL), Time: p.Time, Logged: p.Time, Status: p.Status, Size: -1, MIME: p.MIME,
		Offset: -1, Line: p.Line, Notes: []string{source.NotePage}}
	if p.LoadState >= 0 {
		f.Notes = append(f.Notes, "loadState:"+strconv.Itoa(p.LoadState))
	}
	if p.Depth >= 0 {
		f.Notes = append(f.Notes, "depth:"+strconv.Itoa(p.Depth))
	}
	switch {
	case p.Status >= 400:
		f.Miss = model.MissServer
	case p.LoadState == 0:
		f.Miss = model.MissNetwork
	}
	return f
}
