package pandas

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"quire/model"
	"quire/source"
)

// mirrored is an instance with its files.
type mirrored struct{ *instance }

// Style returns how the files were changed: by HTTrack.
func (h mirrored) Style() source.Style { return h.mirror.Style() }

// Footer returns the text that HTTrack had to insert into each page.
func (h mirrored) Footer() string { return h.mirror.Footer() }

// Artefacts returns the files that are not content: the files that HTTrack wrote for itself, and
// the files that PANDAS put around the mirror.
func (h mirrored) Artefacts() []model.SourceFile {
	content := map[string]bool{}
	for _, f := range h.mirror.Mirror.Files {
		if f.Role == model.RoleContent {
			content[h.place(f.Path)] = true
		}
	}
	var all []model.SourceFile
	for _, f := range h.about.Files {
		if !content[f.Path] {
			all = append(all, f)
		}
	}
	return all
}

// Resources yields each URL with its remains from HTTrack and the additional facts from PANDAS.
func (h mirrored) Resources(ctx context.Context, report func(model.Finding)) iter.Seq2[*source.Resource, error] {
	return func(yield func(*source.Resource, error) bool) {
		odd := 0
		for r, err := range h.mirror.Resources(ctx, h.reporter(report)) {
			if err != nil {
				yield(nil, err)
				return
			}
			if problem := h.lay(r); problem != "" && report != nil {
				if odd++; odd <= maxFindings {
					report(model.Finding{Code: CodeMap, Severity: model.Warning, Path: h.urls.name, Message: problem})
				}
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// lay adds to a resource the facts about its file from url.map and the media types of PANDAS. It
// returns a description of contradictions.
func (h mirrored) lay(r *source.Resource) (problem string) {
	rel := r.Saved
	if r.File != "" {
		rel = h.within(r.File)
		r.File = h.place(r.File)
	}
	if t, ok := h.forced[rel]; ok && rel != "" {
		r.Facts = append(slices.Clip(r.Facts), model.Field{Name: "panaccess-mime", Value: t.mime})
		if r.MIME == "" {
			r.MIME = t.mime
			r.Why = append(r.Why, "media type: "+t.from)
		}
	}
	if h.urls == nil || rel == "" {
		return ""
	}
	says := h.urls.byFile[rel]
	if len(says) == 0 {
		return ""
	}
	for _, m := range says {
		if m.url == r.URL || r.Assumed == "" && bare(m.url) == bare(r.URL) {
			r.Why = append(r.Why, fmt.Sprintf("URL: %s, line %d, says the same", h.urls.name, m.line))
			return ""
		}
	}
	if r.URL != "" && r.Assumed == "" {
		r.Why = append(r.Why, fmt.Sprintf("URL: %s, line %d, has %q for this file", h.urls.name, says[0].line,
			says[0].url))
		return fmt.Sprintf("line %d has %q for %q, but other sources have %q", says[0].line, says[0].url, rel, r.URL)
	}
	h.name(r, says)
	return ""
}

// name sets the URL of a resource from url.map, if no better source has one without assumptions.
func (h mirrored) name(r *source.Resource, says []mapped) {
	m := says[0]
	for _, other := range says {
		if bare(other.url) == bare(r.URL) {
			m = other
		}
	}
	r.URL, r.Assumed = m.url, ""
	if !strings.Contains(strings.SplitN(m.url, "?", 2)[0], "://") {
		r.URL, r.Assumed = "http://"+m.url, "scheme: url.map has none"
	}
	r.Why = append(r.Why, fmt.Sprintf("URL: %s, line %d", h.urls.name, m.line))
	for _, other := range says {
		if other != m && len(says) <= maxOdd {
			r.Why = append(r.Why, fmt.Sprintf("URL: %s, line %d, has %q for the same file", h.urls.name, other.line,
				other.url))
		}
	}
}

// bare removes the scheme.
func bare(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok && !strings.ContainsAny(url[:len(url)-len(rest)-3], "/?") {
		return rest
	}
	return url
}
