package browsertrix

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"strings"

	"quire/format/fault"
	"quire/format/wacz"
	"quire/internal/archivefs"
	"quire/internal/lines"
	"quire/internal/secret"
	"quire/model"
)

// Fetches first yields the log of Wget, if its containers were packaged. Then follow the requests
// of each page (urn:pageinfo: records, found by the index), and the pages without such a record.
// Last come the URLs of further errors in the logs, the skipped URLs, and the rest of the queue.
func (h *Harvest) Fetches(ctx context.Context, report func(model.Finding)) iter.Seq2[model.Fetch, error] {
	return func(yield func(model.Fetch, error) bool) {
		f := &fetching{Harvest: h, ctx: ctx, report: report, yield: yield, seed: maphash.MakeSeed(),
			seen: map[uint64]bool{}}
		for _, step := range []func() error{f.crawled, f.pageInfos, f.listed, f.logged, f.skipped, f.left} {
			if err := errors.Join(ctx.Err(), step()); err != nil {
				if !errors.Is(err, errEnough) {
					yield(model.Fetch{}, err)
				}
				return
			}
		}
	}
}

type fetching struct {
	*Harvest
	ctx    context.Context
	report func(model.Finding)
	yield  func(model.Fetch, error) bool
	seed   maphash.Seed
	// hashes of the URLs of reported pages and errors; only hashes, since a crawl has millions
	seen map[uint64]bool
}

// reported reports whether a URL was reported before, and marks it as reported.
func (f *fetching) reported(url string) bool {
	k := maphash.String(f.seed, url)
	before := f.seen[k]
	f.seen[k] = true
	return before
}

func (f *fetching) tell(fetch model.Fetch) error {
	if err := f.ctx.Err(); err != nil {
		return err
	}
	if !f.yield(fetch, nil) {
		return errEnough
	}
	return nil
}

func (f *fetching) bad(code, p string, offset int64, format string, args ...any) {
	if f.report != nil {
		f.report(model.Finding{Code: code, Severity: model.Warning, Path: p, Offset: offset,
			Message: secret.Conceal(fmt.Sprintf(format, args...))})
	}
}

// crawled yields the log of the crawler that wrote the packaged containers.
func (f *fetching) crawled() error {
	for _, c := range f.crawls {
		for fetch, err := range c.Fetches(f.ctx, f.report) {
			if err != nil {
				return err
			}
			f.reported(fetch.URI)
			if err := f.tell(fetch); err != nil {
				return err
			}
		}
	}
	return nil
}

// pageInfos hides the method of Harvest, which yields only places.
func (f *fetching) pageInfos() error {
	o := f.opener()
	err := f.Harvest.pageInfos(f.ctx, func(at place) error {
		page := strings.TrimPrefix(at.uri, pageInfoPrefix)
		var enough error
		p, err := o.readPageInfo(at, func(fetch model.Fetch) bool {
			if fetch.URI == page {
				f.reported(page)
			}
			enough = f.tell(fetch)
			return enough == nil
		})
		switch {
		case enough != nil:
			return enough
		case isMachine(err):
			return err
		case err != nil:
			f.bad(findPageInfo, p, at.offset, "the record about %s: %v", page, err)
		}
		return nil
	})
	return errors.Join(err, o.close())
}

// listed yields the pages without a record.
func (f *fetching) listed() error {
	for _, p := range f.pageFiles() {
		err := f.with(p, func(c archivefs.Content) error {
			for page, err := range wacz.Pages(c, func(x fault.Fault) {
				f.bad(string(x.Code), p, x.Offset, "%s", x.Detail)
			}) {
				if err != nil {
					return err
				}
				if f.reported(page.URL) {
					continue
				}
				fetch := pageFetch(&page)
				fetch.Log = p
				if err := f.tell(fetch); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return f.listedBefore()
}

// listedBefore yields the pages that older packages list elsewhere.
func (f *fetching) listedBefore() error {
	var pages []wacz.Page
	if check := f.check; check != nil && check.Package != nil {
		pages = check.Package.Pages
	}
	for _, p := range f.oldDescriptions() {
		n, err := f.state(p)
		if err != nil {
			return err
		}
		pages = slices.AppendSeq(pages, oldPages(n))
	}
	for i := range pages {
		if f.reported(pages[i].URL) {
			continue
		}
		if err := f.tell(pageFetch(&pages[i])); err != nil {
			return err
		}
	}
	return nil
}

// state reads a YAML file. It returns nil if the file is unreadable, which the harvest has already
// reported.
func (f *fetching) state(p string) (*node, error) {
	head, err := f.tree.Head(p, maxYAML+1)
	if err != nil || len(head) > maxYAML {
		return nil, err
	}
	n, _ := parseYAML(head)
	return n, nil
}

// logged yields further URLs from the logs: finished pages, and errors.
func (f *fetching) logged() error {
	for _, p := range f.logFiles() {
		err := f.with(p, func(c archivefs.Content) error {
			var enough error
			err := readJobLog(c, func(g *logLine, _ []byte) bool {
				if fetch, ok := logFetch(g); ok && !f.reported(fetch.URI) {
					fetch.Log = p
					enough = f.tell(fetch)
				}
				return enough == nil
			}, func(l *lines.Reader, problem string) {
				f.bad(findLine, p, l.Offset, "line %d: %s: %.100q", l.Number, problem, l.Text)
			})
			return errors.Join(enough, err)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// finished are the messages for a successful page, in the order of the versions.
var finished = []string{"Page Finished", "Page graph data for successfully crawled page"}

// logFetch converts a log line to a Fetch: a finished page, or a failed one with the reason.
func logFetch(g *logLine) (model.Fetch, bool) {
	var d struct {
		Page      json.RawMessage `json:"page"`
		URL       json.RawMessage `json:"url"`
		LoadState json.RawMessage `json:"loadState"`
		Message   json.RawMessage `json:"message"`
		Status    json.RawMessage `json:"status"`
	}
	if json.Unmarshal(g.Details, &d) != nil {
		return model.Fetch{}, false
	}
	url := word(d.URL)
	if url == "" {
		url = word(d.Page)
	}
	f := model.Fetch{URI: secret.Conceal(url), Time: g.Time, Logged: g.Time, Status: wholeNumber(d.Status), Size: -1,
		Offset: -1, Line: g.Line, Notes: []string{"message:" + g.Message}}
	if page := word(d.Page); page != url {
		f.Via = secret.Conceal(page)
	}
	well := slices.Contains(finished, g.Message)
	failed := g.Level == "error" || g.Level == "fatal" || g.Level == "warn" &&
		(strings.HasPrefix(g.Message, "Page ") || strings.HasPrefix(g.Message, "Invalid Page") ||
			strings.HasPrefix(g.Message, "Invalid Seed"))
	if url == "" || !well && !failed {
		return f, false
	}
	if detail := word(d.Message); detail != "" {
		f.Notes = append(f.Notes, "detail:"+secret.Conceal(detail))
	}
	if !well {
		f.Miss = logMiss(g.Message+" "+word(d.Message), f.Status)
	}
	return f, true
}

// logMiss derives the reason for missing content from the words of a message.
func logMiss(message string, status int) model.Miss {
	m := strings.ToLower(message)
	switch {
	case status >= 400:
		return model.MissServer
	case strings.Contains(m, "robots"):
		return model.MissRobots
	case strings.Contains(m, "invalid page"), strings.Contains(m, "invalid seed"), strings.Contains(m, "scope"),
		strings.Contains(m, "excluded"):
		return model.MissScope
	case strings.Contains(m, "limit"):
		return model.MissQuota
	case strings.Contains(m, "crash"), strings.Contains(m, "behavior"), strings.Contains(m, "exception"):
		return model.MissSoftware
	}
	return model.MissNetwork
}

func (f *fetching) skipped() error {
	for _, p := range f.in("reports", "skippedPages.jsonl") {
		err := f.with(p, func(c archivefs.Content) error {
			var enough error
			err := readSkipped(c, func(fetch model.Fetch) bool {
				fetch.Log = p
				enough = f.tell(fetch)
				return enough == nil
			}, func(l *lines.Reader, problem string) {
				f.bad(findLine, p, l.Offset, "line %d: %s: %.100q", l.Number, problem, l.Text)
			})
			return errors.Join(enough, err)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// left yields the unfinished URLs in the last state of the crawl, unless already reported.
func (f *fetching) left() error {
	states := f.in("crawls", ".yaml", ".yml")
	if len(states) == 0 {
		return nil
	}
	state := states[len(states)-1]
	n, err := f.state(state)
	if err != nil {
		return err
	}
	for fetch := range f.queued(n) {
		if f.reported(fetch.URI) {
			continue
		}
		fetch.Log = state
		if err := f.tell(fetch); err != nil {
			return err
		}
	}
	return nil
}
