package heritrix

import (
	"fmt"
	"time"

	"quire/model"
	"quire/source"
)

// Codes of findings about a source of Heritrix.
const (
	CodeConfiguration = "SOURCE-CONFIGURATION" // a configuration that cannot be read
	CodeSeveral       = "SOURCE-SEVERAL"       // several configurations lie side by side, and nothing says which one counted
	CodeListed        = "SOURCE-LISTED"        // the crawler's own manifest lists a file that is not there
	CodeUnfinished    = "SOURCE-UNFINISHED"    // a container that the crawler did not finish
	CodeLarge         = "SOURCE-LARGE"         // a file is larger than any of its kind, and was read in part or not at all
)

// facts gathers what is told of a harvest. The first who tells a fact is believed; all are listed.
type facts struct {
	about *model.Harvest
	seen  map[model.Evidence]bool
	files map[string]int // where in about.Files each path is
	scope int            // what the rules of the scope took
	full  bool           // there are more than are kept
}

func newFacts(about *model.Harvest) *facts {
	return &facts{about: about, seen: map[model.Evidence]bool{}, files: map[string]int{}}
}

// tell takes a value for a field of the harvest, and notes where it comes from.
func (f *facts) tell(field *string, fact, value, source string) {
	if value == "" {
		return
	}
	if *field == "" {
		*field = value
	}
	f.note(fact, value, source)
}

// tellTime does the same for a time.
func (f *facts) tellTime(field *time.Time, fact string, value time.Time, source string) {
	if value.IsZero() {
		return
	}
	if field.IsZero() {
		*field = value
	}
	f.note(fact, value.Format(time.RFC3339Nano), source)
}

// note lists evidence, once.
func (f *facts) note(fact, value, source string) {
	e := model.Evidence{Fact: fact, Value: value, Source: source}
	if !f.seen[e] {
		f.seen[e] = true
		f.about.Evidence = append(f.about.Evidence, e)
	}
}

// find adds a finding about a file.
func (f *facts) find(code string, severity model.Severity, path string, offset int64, format string, args ...any) {
	f.about.Findings = append(f.about.Findings, model.Finding{
		Code: code, Severity: severity, Path: path, Offset: offset, Message: fmt.Sprintf(format, args...)})
}

// restrict marks a file, and says why. What the secret is stays where it is.
func (f *facts) restrict(path string, offset int64, why string) {
	i, ok := f.files[path]
	if !ok {
		return
	}
	if file := &f.about.Files[i]; file.Restricted == "" {
		file.Restricted = why
	}
	f.find(source.CodeSecret, model.Warning, path, offset, "%s", why)
}

// noteAny lists evidence of a fact that the model has no field for, when there is any.
func (f *facts) noteAny(fact, value, source string) {
	if value != "" {
		f.note(fact, value, source)
	}
}

// limit adds a limit in the crawler's own words.
func (f *facts) limit(name, value, source string) {
	if value == "" {
		return
	}
	f.about.Limits = append(f.about.Limits, model.Field{Name: name, Value: value})
	f.note("limit", name+"="+value, source)
}

// maxScope bounds what the rules of a scope may take, in bytes of their lines and elements of the configuration that are looked
// at. Those of a national domain crawl take some hundred thousand; but a configuration can name one rule a thousand times.
const maxScope = 8 << 20

// spend says whether the scope may take so much more.
func (f *facts) spend(cost int, source string) bool {
	if f.scope += cost; f.scope > maxScope && !f.full {
		f.full = true
		f.find(CodeLarge, model.Warning, "", 0, "%s: there are more rules than are listed", source)
	}
	return !f.full
}

// rule adds a rule of the scope. The evidence names their place once, and not each rule again.
func (f *facts) rule(line, source string) {
	if f.spend(len(line), source) {
		f.about.Scope = append(f.about.Scope, line)
		f.note("scope", "rules of what belongs to the harvest", source)
	}
}
