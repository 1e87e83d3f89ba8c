package survey

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"quire/internal/findingtest"
)

// family matches the codes of findings by readers of sources.
var family = regexp.MustCompile(`^(SOURCE|LOG|HTTRACK|WGET|PANDAS|WACZ|BROWSERTRIX|OAI|HARVEST)-[A-Z]+(-[A-Z]+)*$`)

// TestEveryCodeIsExplained checks that each declared code is explained, and each explained code is
// declared.
func TestEveryCodeIsExplained(t *testing.T) {
	declared := map[string]string{}
	visit := func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok {
				for _, value := range spec.Values {
					if lit, ok := value.(*ast.BasicLit); ok && lit.Kind == token.STRING {
						if code, err := strconv.Unquote(lit.Value); err == nil && family.MatchString(code) {
							declared[code] = p
						}
					}
				}
			}
			return true
		})
		return nil
	}
	for _, root := range []string{"../../source", "../../internal/archivefs", "../../format/wacz", "../../oai/client",
		"../../oai/harvest"} {
		if err := filepath.WalkDir(root, visit); err != nil {
			t.Fatal(err)
		}
	}
	for code, file := range declared {
		if _, ok := Catalogue.Explain(code); !ok {
			t.Errorf("%s of %s is not explained: add it to catalogue.go", code, file)
		}
	}
	for _, e := range Catalogue.All() {
		if declared[e.Code] == "" {
			t.Errorf("%s is explained, but no reader declares it", e.Code)
		}
		for _, text := range []string{e.Meaning, e.Advice} {
			if !strings.HasSuffix(text, ".") || text != strings.TrimSpace(text) {
				t.Errorf("%s: %q is no sentence", e.Code, text)
			}
		}
	}
	if len(declared) < 50 {
		t.Errorf("only %d codes were found", len(declared))
	}
}

func TestFindingsDocument(t *testing.T) {
	findingtest.Document(t, "../../docs/reference/510_source-findings.md", findingtest.Table(Catalogue))
}
