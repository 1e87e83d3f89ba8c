package policy

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"quire/model"
)

// scopeStored is the scope of selections. Policies have no such rules.
const scopeStored Scope = "repository"

// Stored has the facts about a package of a repository, for a [Selection].
type Stored struct {
	ID, Title                         string
	Bytes, Files, Containers, Records int64
	First, Last                       time.Time // captures; zero if they are not known
	Stored                            time.Time // version 1
	// Names are the names of its numbers, of the kinds that the selection uses; nil if the package is not counted.
	Names map[model.NumberKind][]string
}

// Selection chooses packages of a repository by an expression in CEL, as the rules of policies have.
type Selection struct {
	rule  Rule
	words *vocabulary
	kinds []model.NumberKind
}

// SelectionVariables lists the variables of selections, by name.
func SelectionVariables() []Variable { return selectionWords().facts() }

// namesOf are the variables that have names of numbers.
var namesOf = map[string]struct {
	kind    model.NumberKind
	meaning string
}{
	"pkg.puids":   {model.ByFormat, "PUIDs of the identified formats"},
	"pkg.formats": {model.ByFormat, "names of the identified formats, with their versions"},
	"pkg.completeness": {model.ByCompleteness, "outcomes of the comparison of its harvests: success, warning, fail, " +
		"not compared"},
	"pkg.definitions":  {model.ByDefinition, "harvest definitions, targets or titles of the crawls"},
	"pkg.hosts":        {model.ByHost, "hosts of the captures"},
	"pkg.languages":    {model.ByLanguage, "languages of the pages and plain texts"},
	"pkg.mime_types":   {model.ByMIME, "media types that the servers declared"},
	"pkg.statuses":     {model.ByStatus, "HTTP statuses"},
	"pkg.record_types": {model.ByType, "types of the records"},
	"pkg.years":        {model.ByYear, "years of capture, as texts"},
	"pkg.findings":     {model.ByFinding, "codes of the findings in the containers"},
	"pkg.outcomes":     {model.ByOutcome, "outcomes of the checks of the containers"},
}

// selectionWords are the variables of selections, with their environment.
var selectionWords = sync.OnceValue(func() *vocabulary {
	of := []Scope{scopeStored}
	all := []variable{
		word(of, "pkg.id", "identifier", func(f *facts) string { return f.stored.ID }),
		word(of, "pkg.title", "title", func(f *facts) string { return f.stored.Title }),
		whole(of, "pkg.files", "files of the newest version", func(f *facts) int64 { return f.stored.Files }),
		whole(of, "pkg.bytes", "their size", func(f *facts) int64 { return f.stored.Bytes }),
		whole(of, "pkg.containers", "containers", func(f *facts) int64 { return f.stored.Containers }),
		whole(of, "pkg.records", "records in them", func(f *facts) int64 { return f.stored.Records }),
		moment(of, "pkg.first", "first capture", func(f *facts) time.Time { return f.stored.First }),
		year(of, "pkg.first", func(f *facts) time.Time { return f.stored.First }),
		moment(of, "pkg.last", "last capture", func(f *facts) time.Time { return f.stored.Last }),
		year(of, "pkg.last", func(f *facts) time.Time { return f.stored.Last }),
		moment(of, "pkg.stored", "time of version 1", func(f *facts) time.Time { return f.stored.Stored }),
		year(of, "pkg.stored", func(f *facts) time.Time { return f.stored.Stored }),
	}
	for name, n := range namesOf {
		uncounted := types.NewErr("%s is not known; quire stats --repo REPO --count counts packages", name)
		unlisted := types.NewErr("%s is not known: the METS, of an earlier version of Quire, states no languages", name)
		all = append(all, variable{name: name, kind: isTexts, meaning: n.meaning, scopes: of,
			get: func(f *facts) ref.Val {
				switch {
				case f.stored.Names == nil:
					return uncounted
				case n.kind == model.ByLanguage && !f.stored.listsLanguages():
					return unlisted
				}
				return types.NewStringList(types.DefaultTypeAdapter, namesFor(name, f.stored.Names[n.kind]))
			}})
	}
	v := &vocabulary{own: map[string]*variable{}}
	for i := range all {
		v.own[all[i].name] = &all[i]
	}
	v.env = sync.OnceValues(func() (*cel.Env, error) {
		options := append(standard(), cel.Macros(cel.ExistsMacro, cel.AllMacro))
		for _, name := range slices.Sorted(maps.Keys(v.own)) {
			options = append(options, cel.Variable(name, typeOf[v.own[name].kind]))
		}
		return cel.NewCustomEnv(options...)
	})
	return v
})

// namesFor returns the values of a variable. Those of formats are in the names of one kind.
func namesFor(variable string, names []string) []string {
	all := make([]string, 0, len(names))
	for _, name := range names {
		switch variable {
		case "pkg.puids":
			if name = model.FormatOf(name).PUID; name == "" {
				continue
			}
		case "pkg.formats":
			f := model.FormatOf(name)
			name = f.FullName()
		}
		all = append(all, shown(name))
	}
	return all
}

// Select compiles an expression. Its variables are those of [SelectionVariables].
func Select(expression string) (*Selection, error) {
	s := &Selection{words: selectionWords(), rule: Rule{Scope: scopeStored, When: expression}}
	if len(expression) > maxExpression {
		return nil, fmt.Errorf("the selection has %d bytes; the maximum is %d", len(expression), maxExpression)
	}
	var wrongs []string
	for _, w := range s.rule.compile(s.words) {
		wrongs = append(wrongs, fmt.Sprintf("the selection, character %d of line %d: %s", w.column, w.line, w.message))
	}
	if len(wrongs) > 0 {
		return nil, errors.New(strings.Join(wrongs, "\n"))
	}
	for _, used := range s.rule.Uses {
		if n, ok := namesOf[used]; ok && !slices.Contains(s.kinds, n.kind) {
			s.kinds = append(s.kinds, n.kind)
			if n.kind == model.ByLanguage {
				s.kinds = append(s.kinds, model.ByLanguagesKnown)
			}
		}
	}
	return s, nil
}

// Kinds returns the kinds of numbers whose names the selection uses.
func (s *Selection) Kinds() []model.NumberKind { return s.kinds }

// listsLanguages reports whether each container of the package states its languages. Packages of earlier versions
// state none.
func (p *Stored) listsLanguages() bool {
	known := p.Names[model.ByLanguagesKnown]
	return p.Containers == 0 || len(known) == 1 && known[0] == model.LanguagesKnown
}

// Match is the decision on a package.
type Match int

// The decisions.
const (
	NotChosen Match = iota
	Chosen
	Undecided // a value that the expression needs is not known
)

// Match decides on a package. why explains [Undecided]; it is nil for the other decisions.
func (s *Selection) Match(p *Stored) (m Match, why error) {
	out, _, err := s.rule.program.Eval(&choice{words: s.words, facts: facts{stored: p}})
	switch {
	case err != nil:
		return Undecided, fmt.Errorf("%s: %w", p.ID, err)
	case out == types.True:
		return Chosen, nil
	}
	return NotChosen, nil
}

// choice resolves the variables of a selection.
type choice struct {
	words *vocabulary
	facts facts
}

// ResolveName implements the activation of CEL.
func (c *choice) ResolveName(name string) (any, bool) {
	v := c.words.own[name]
	if v == nil {
		return nil, false
	}
	return v.get(&c.facts), true
}

// Parent implements the activation of CEL: it has no other variables.
func (c *choice) Parent() cel.Activation { return nil }

var _ cel.Activation = (*choice)(nil)
