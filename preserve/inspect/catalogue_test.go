package inspect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"quire/internal/findingtest"
	"quire/model"
)

// notOfContainers are formats with errors that do not occur in the pass over a container: indexes
// next to containers, packages around containers, links in payloads.
var notOfContainers = map[string]bool{"cdx": true, "csslink": true, "htmllink": true, "wacz": true}

// declared collects the codes in the source by the name of their constant: in format and in this
// package.
func declared(t *testing.T) map[string]string {
	t.Helper()
	form := regexp.MustCompile(`^(GZIP|ZSTD|ARC|WARC|HTTP|DIGEST|REF|SCAN)-[A-Z0-9]+(-[A-Z0-9]+)*$`)
	found := map[string]string{}
	for _, pattern := range []string{"../../format/*/*.go", "*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || notOfContainers[filepath.Base(filepath.Dir(file))] {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				spec, ok := n.(*ast.ValueSpec)
				if !ok {
					return true
				}
				kind, ok := spec.Type.(*ast.SelectorExpr)
				if !ok || kind.Sel.Name != "Code" {
					return true
				}
				for i, value := range spec.Values {
					if lit, ok := value.(*ast.BasicLit); ok {
						code, err := strconv.Unquote(lit.Value)
						if err != nil || !form.MatchString(code) {
							t.Errorf("%s: %s is no code of a known family", file, lit.Value)
						}
						if was := found[code]; was != "" {
							t.Errorf("%s is declared twice: %s and %s", code, was, spec.Names[i].Name)
						}
						found[code] = spec.Names[i].Name
					}
				}
				return true
			})
		}
	}
	return found
}

func TestEveryCodeIsInTheCatalogue(t *testing.T) {
	found := declared(t)
	if len(found) < 90 {
		t.Fatalf("only %d codes were found in the source", len(found))
	}
	for code, name := range found {
		if _, ok := Catalogue.Explain(code); !ok {
			t.Errorf("%s (%s) is not in the catalogue", code, name)
		}
	}
	for _, e := range Catalogue.All() {
		if found[e.Code] == "" {
			t.Errorf("%s is in the catalogue and not in the source", e.Code)
		}
		for what, text := range map[string]string{"clause": e.Clause, "meaning": e.Meaning,
			"explanation": e.Explanation, "advice": e.Advice, "example": e.Example} {
			if text == "" {
				t.Errorf("%s cannot have %s", e.Code, what)
			}
		}
		if !strings.HasSuffix(e.Meaning, ".") || strings.Count(e.Meaning, ". ") > 0 {
			t.Errorf("%s: the meaning is not one sentence: %s", e.Code, e.Meaning)
		}
	}
	if _, ok := Catalogue.Explain("WARC-NOTHING"); ok {
		t.Error("a code that does not exist is explained")
	}
}

// Content from the web is never an error, not even with Strict, because the crawler was right to
// keep it.
func TestTheWebIsNoError(t *testing.T) {
	for _, e := range Catalogue.All() {
		if strings.HasPrefix(e.Code, "HTTP-") && (e.Severity == model.Error || e.Breaks) {
			t.Errorf("%s is %s", e.Code, e.Severity)
		}
	}
}

func TestFindingsDocument(t *testing.T) {
	findingtest.Document(t, "../../docs/reference/500_findings.md", findingtest.Sections(Catalogue))
}

func TestReadPolicy(t *testing.T) {
	p,
		err := ReadPolicy(strings.NewReader("# of our archive\n\nWARC-DATE  warning # older files\nHTTP-BODY-SHORT " +
		"error\n"))
	if err != nil || len(p) != 2 || p[FaultDate] != model.Warning {
		t.Errorf("read %v, %v", p, err)
	}
	for _, c := range []struct{ file, want string }{
		{"\nWARC-DATE\n", "line 2: the line has 1 words"},
		{"WARC-DATE warning error", "line 1: the line has 3 words"},
		{"WARC-DATES warning", `line 1: no finding has the code "WARC-DATES"`},
		{"WARC-DATE fatal", `line 1: "fatal" is not a severity`},
		{"name: reference",
			`line 1: "name:" is a key of YAML: a service level judges by quire stats, pack or validate`},
		{"WARC-DATE info\nWARC-DATE info", "line 2: WARC-DATE is set twice"},
		{"WARC-DATE info\n" + strings.Repeat("x", maxPolicyLine+1), "line 2: "},
	} {
		if _, err := ReadPolicy(strings.NewReader(c.file)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.30q causes %v, want %s", c.file, err, c.want)
		}
	}
}

func TestStrictAndPolicyDecideTheOutcome(t *testing.T) {
	file := []byte(record("metadata", "x", "WARC-Filename: x.warc")) // no warcinfo, and a forbidden field
	for _, c := range []struct {
		name    string
		options Options
		want    model.Outcome
	}{
		{"neither", Options{}, model.Valid},
		{"strict", Options{Strict: true}, model.Invalid},
		{"policy", Options{Policy: Policy{FaultNoWarcinfo: model.Error}}, model.Invalid},
		{"policy over strict", Options{Strict: true,
			Policy: Policy{FaultNoWarcinfo: model.Info, FaultFieldForbidden: model.Info}}, model.Valid},
	} {
		if got := inspectBytes(t, file, c.options); got.Outcome != c.want {
			t.Errorf("%s: %s, want %s: %v", c.name, got.Outcome, c.want, got.Findings)
		}
	}
}

func FuzzReadPolicy(f *testing.F) {
	f.Add("WARC-DATE warning # x\n")
	f.Add("\n#\nA B C")
	f.Fuzz(func(t *testing.T, file string) {
		p, err := ReadPolicy(strings.NewReader(file))
		if err != nil && p != nil {
			t.Error("a policy beside an error")
		}
	})
}
