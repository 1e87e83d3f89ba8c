// Package facts collects the facts about a harvest, each with its evidence. The readers of all
// systems use it.
package facts

import (
	"fmt"
	"time"

	"quire/model"
	"quire/source"
)

// Codes of findings that several readers report.
const (
	CodeLarge      = "SOURCE-LARGE"      // a file exceeds the limit of its kind, and was read in part or not at all
	CodeUnfinished = "SOURCE-UNFINISHED" // a container that the crawler did not finish
)

// Facts has the known facts about a harvest.
type Facts struct {
	About *model.Harvest
	seen  map[model.Evidence]bool
	files map[string]int // index in About.Files of each path
	seeds map[string]bool
	scope int  // bytes used by the rules of the scope
	full  bool // the limit was exceeded
}

// New returns Facts that start with the content of about.
func New(about *model.Harvest) *Facts {
	f := &Facts{About: about, seen: map[model.Evidence]bool{}, files: map[string]int{}}
	for _, e := range about.Evidence {
		f.seen[e] = true
	}
	for i, file := range about.Files {
		f.files[file.Path] = i
	}
	return f
}

// AddFile lists a file of the harvest, once.
func (f *Facts) AddFile(file model.SourceFile) {
	if _, listed := f.files[file.Path]; !listed {
		f.files[file.Path] = len(f.About.Files)
		f.About.Files = append(f.About.Files, file)
	}
}

// AddSeed lists a start address, once.
func (f *Facts) AddSeed(url string) {
	if f.seeds == nil {
		f.seeds = map[string]bool{}
		for _, s := range f.About.Seeds {
			f.seeds[s] = true
		}
	}
	if !f.seeds[url] {
		f.seeds[url] = true
		f.About.Seeds = append(f.About.Seeds, url)
	}
}

// AddSeedOf lists a start address, if not empty, and its source.
func (f *Facts) AddSeedOf(url, source string) {
	if url != "" {
		f.AddSeed(url)
		f.Note("seeds", url, source)
	}
}

// Set sets a field of the harvest, and records the source as evidence.
func (f *Facts) Set(field *string, fact, value, source string) {
	if value == "" {
		return
	}
	if *field == "" {
		*field = value
	}
	f.Note(fact, value, source)
}

// TellTime does the same for a time.
func (f *Facts) TellTime(field *time.Time, fact string, value time.Time, source string) {
	if value.IsZero() {
		return
	}
	if field.IsZero() {
		*field = value
	}
	f.Note(fact, value.Format(time.RFC3339Nano), source)
}

// Note records evidence, once, if value is not empty. It also serves facts without a field in the
// model.
func (f *Facts) Note(fact, value, source string) {
	e := model.Evidence{Fact: fact, Value: value, Source: source}
	if value != "" && !f.seen[e] {
		f.seen[e] = true
		f.About.Evidence = append(f.About.Evidence, e)
	}
}

// Find adds a finding about a file.
func (f *Facts) Find(code string, severity model.Severity, path string, offset int64, format string, args ...any) {
	f.About.Findings = append(f.About.Findings, model.Finding{
		Code: code, Severity: severity, Path: path, Offset: offset, Message: fmt.Sprintf(format, args...)})
}

// Unfinished reports a container with a name that ends in .open or .invalid.
func (f *Facts) Unfinished(path string) {
	f.Find(CodeUnfinished, model.Warning, path, 0,
		"the crawler was still writing this container, or failed to; its last record may be cut")
}

// Restrict marks a file, with the reason. It does not repeat the secret.
func (f *Facts) Restrict(path string, offset int64, why string) {
	i, ok := f.files[path]
	if !ok {
		return
	}
	if file := &f.About.Files[i]; file.Restricted == "" {
		file.Restricted = why
	}
	f.Find(source.CodeSecret, model.Warning, path, offset, "%s", why)
}

// Personal marks a file that names persons, with the reason. Such a file is restricted like a file
// with a secret.
func (f *Facts) Personal(path string, offset int64, why string) {
	i, ok := f.files[path]
	if !ok {
		return
	}
	if file := &f.About.Files[i]; file.Restricted == "" {
		file.Restricted = why
	}
	f.Find(source.CodePersonal, model.Warning, path, offset, "%s", why)
}

// Limit adds a limit in the crawler's own terms.
func (f *Facts) Limit(name, value, source string) {
	if value == "" {
		return
	}
	f.About.Limits = append(f.About.Limits, model.Field{Name: name, Value: value})
	f.Note("limit", name+"="+value, source)
}

// MaxScope bounds the rules of a scope: the bytes of their lines plus the examined configuration
// elements. The scope of a national domain crawl has some hundred thousand. A configuration can
// also name one rule a thousand times.
const MaxScope = 8 << 20

// Spend adds a cost to the scope, and reports whether the limit allows it.
func (f *Facts) Spend(cost int, source string) bool {
	if f.scope += cost; f.scope > MaxScope && !f.full {
		f.full = true
		f.Find(CodeLarge, model.Warning, "", 0, "%s: there are more rules than are listed", source)
	}
	return !f.full
}

// Rule adds a rule of the scope. The evidence records the source once, not for each rule.
func (f *Facts) Rule(line, source string) {
	if f.Spend(len(line), source) {
		f.About.Scope = append(f.About.Scope, line)
		f.Note("scope", "rules of what belongs to the harvest", source)
	}
}
