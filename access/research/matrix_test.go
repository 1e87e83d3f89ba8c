package research_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"quire/access/research"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// rowsOf reads all files of a table back, each row as a map. Files with another ending are listed in names
// only.
func rowsOf(t *testing.T, dir, table string) (rows []map[string]any) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, table), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if os.IsNotExist(err) {
				return nil
			}
			return err
		}
		rel, _ := filepath.Rel(filepath.Join(dir, table), path)
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = in.Close() }()
		info, err := in.Stat()
		if err != nil {
			return err
		}
		file, err := parquet.OpenFile(in, info.Size())
		if err != nil {
			return fmt.Errorf("%s: %w", rel, err)
		}
		r := parquet.NewGenericReader[map[string]any](file, file.Schema())
		defer func() { _ = r.Close() }()
		for range r.NumRows() {
			one := []map[string]any{{}}
			if n, err := r.Read(one); n != 1 {
				return fmt.Errorf("%s: %w", rel, err)
			}
			one[0]["partition"] = filepath.ToSlash(filepath.Dir(rel))
			rows = append(rows, one[0])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// everything returns all names, rows and other bytes of an export as one text.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		fmt.Fprintln(&b, filepath.ToSlash(rel))
		if !d.IsDir() {
			content, err := os.ReadFile(path)
			b.Write(content)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range research.Tables() {
		for _, row := range rowsOf(t, dir, name) {
			fmt.Fprintln(&b, row)
		}
	}
	return b.String()
}

func export(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, request research.Request) *research.Result {
	t.Helper()
	if request.Tables == nil {
		request.Tables = research.Tables()
	}
	if request.Problem == nil {
		request.Problem = func(err error) { t.Error(err) }
	}
	result, err := research.Run(t.Context(), r.Store, h, request)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestMatrix: for each class, an export has the captures that this class may see, and no table, file name or
// manifest names anything of the others.
func TestMatrix(t *testing.T) {
	t.Parallel()
	r, o, cases := holdingstest.Matrix(t)
	h := r.Open(o)
	for _, class := range []holdings.Class{holdings.Public, holdings.OnSite, holdings.Staff} {
		t.Run(string(class), func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			export(t, r, h, research.Request{Out: out, For: class})
			urls := map[string]bool{}
			for _, row := range rowsOf(t, out, research.Captures) {
				urls[row["url"].(string)] = true
			}
			text := everything(t, out)
			open := map[string]bool{} // packages and bodies with an open capture
			for _, c := range cases {
				if c.Of(class) == holdingstest.Allowed {
					open[c.Package], open[c.Body] = true, true
				}
			}
			for _, c := range cases {
				if allowed := c.Of(class) == holdingstest.Allowed; urls[c.URL] != allowed {
					t.Errorf("%s: it is in the captures: %v, want %v", c.Name, urls[c.URL], allowed)
				} else if !allowed && strings.Contains(text, c.URL+" ") {
					t.Errorf("%s: its URL is in the export", c.Name)
				}
				if class != holdings.Staff && !open[c.Package] && strings.Contains(text, "crawl="+c.Package+"\n") {
					t.Errorf("package %s is in the export", c.Package)
				}
				// a longer body may begin with it, also cut and counted up by one, as a bound in a column index
				secret := regexp.MustCompile(regexp.QuoteMeta(c.Body) + `(?:[^-.\w]|$)`)
				if !open[c.Body] && secret.MatchString(text) {
					t.Errorf("%s: its content is in the export", c.Name)
				}
			}
			if n := len(rowsOf(t, out, research.Texts)); n == 0 {
				t.Error("there is no text")
			}
		})
	}
}

const day = "2015-01-02T03:04:05Z"

// TestTargets: a link or a redirect to a page that the readers may not see is not in the export: neither
// one that a rule hides, nor one of a closed package, nor one that a rule would close. Curators see all.
func TestTargets(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	page := `<a href="http://closed.example/x">c</a> <a href="http://hidden.example/y">h</a>` +
		`<img src="http://hidden.example/never-captured.png"> <a href="http://user:secret@open.example/z">o</a>` +
		`<a href="http://elsewhere.example/">e</a>`
	r.Ingest(holdingstest.Package{ID: "open", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://open.example/", day, "text/html", page) +
			holdingstest.Redirect("2", "http://open.example/r", day, "http://closed.example/x") +
			holdingstest.Redirect("3", "http://open.example/s", day, "http://elsewhere.example/")}})
	r.Ingest(holdingstest.Package{ID: "closed", Rights: "access: restricted", Containers: map[string]string{
		"b.warc": holdingstest.Response("4", "http://closed.example/x", day, "text/html", "<p>")}})
	r.Ingest(holdingstest.Package{ID: "other", Rights: "access: open", Containers: map[string]string{
		"c.warc": holdingstest.Response("5", "http://hidden.example/y", day, "text/html", "<p>")}})
	h := r.Open(holdings.Options{Rules: r.Rules("rules:\n  - urls: [\"(example,hidden,)/\"]\n    access: " +
		"restricted\n    hidden: true\n")})

	out := filepath.Join(t.TempDir(), "public")
	export(t, r, h, research.Request{Out: out})
	text := everything(t, out)
	for _, secret := range []string{"closed.example", "hidden.example", "secret", "user:"} {
		if strings.Contains(text, secret) {
			t.Errorf("the public export has %s", secret)
		}
	}
	targets := map[string]bool{}
	for _, row := range rowsOf(t, out, research.Links) {
		targets[row["target_url"].(string)] = true
	}
	if len(targets) != 2 || !targets["http://open.example/z"] || !targets["http://elsewhere.example/"] {
		t.Errorf("targets %v", targets)
	}
	redirects := 0
	for _, row := range rowsOf(t, out, research.Captures) {
		if row["fetch_redirect"] == "http://elsewhere.example/" {
			redirects++
		}
	}
	if redirects != 1 {
		t.Errorf("%d redirects", redirects)
	}

	out = filepath.Join(t.TempDir(), "staff")
	export(t, r, h, research.Request{Out: out, For: holdings.Staff})
	text = everything(t, out)
	for _, want := range []string{"http://closed.example/x", "http://hidden.example/never-captured.png"} {
		if !strings.Contains(text, want) {
			t.Errorf("the export for curators lacks %s", want)
		}
	}
	if strings.Contains(text, "secret") {
		t.Error("the export for curators has a password")
	}
}
