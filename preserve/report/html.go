package report

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"iter"
	"os"
	"strings"
	"time"

	"quire/internal/humanize"
	"quire/model"
)

// Options configures a page. The zero value is ready to use.
type Options struct {
	Title    string    // default "Web archive containers"
	Made     time.Time // creation time of the report; zero omits it
	By       string    // the creating program, such as "quire 1.0"
	Expected int64     // containers; with fewer, the page reports that it is incomplete
	Rows     int       // names per chart; default 15
	Explain  Explainer // explains codes; nil shows the codes alone
	TempDir  string    // folder for temporary rows; default: the system's folder
}

//go:embed page.html.tmpl style.css sort.js
var files embed.FS

// pages holds the templates of the page and of a row.
var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"visible": humanize.Visible, "size": humanize.Size, "n": humanize.Grouped, "clip": humanize.Clip,
	"outcome": outcomeOf, "brief": briefKindOf, "named": named, "fields": strings.Fields,
	"date":   func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") },
	"style":  func() template.CSS { return template.CSS(asset("style.css")) },
	"script": func() template.JS { return template.JS(asset("sort.js")) },
	"policy": policy,
	"word":   func(v any) string { return humanize.Visible(fmt.Sprint(v)) },
	"deref":  func(s *string) string { return *s },
}).ParseFS(files, "page.html.tmpl"))

func asset(name string) string {
	data, _ := files.ReadFile(name) // embedded, so it exists
	return string(data)
}

// policy allows only our own style and script, in case escaping ever fails (CSP Level 3).
func policy() string {
	hash := func(name string) string {
		sum := sha256.Sum256([]byte(asset(name)))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; style-src " + hash("style.css") + "; script-src " + hash("sort.js") +
		"; base-uri 'none'; form-action 'none'"
}

// HTML writes a self-contained page about all containers. It reads the sequence once, to its end,
// before it writes anything; an error in the sequence ends the report. The rows of the containers
// wait in a temporary file, which is removed.
func HTML(w io.Writer, containers iter.Seq2[*model.Container, error], o Options) (err error) {
	spool, err := os.CreateTemp(o.TempDir, "quire-report-*")
	if err != nil {
		return fmt.Errorf("creating a temporary file for the report: %w", err)
	}
	defer func() {
		err = errors.Join(err, spool.Close(), os.Remove(spool.Name()))
	}()
	all := newFolder(o.Explain)
	if err := spoolRows(spool, containers, all); err != nil {
		return err
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("reading the rows of the report back: %w", err)
	}
	page := all.page(o)
	out := bufio.NewWriter(w)
	if err := pages.ExecuteTemplate(out, "begin", page); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if _, err := io.Copy(out, spool); err != nil {
		return fmt.Errorf("copying the rows of the report: %w", err)
	}
	if err := pages.ExecuteTemplate(out, "end", page); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// spoolRows writes the row of each container and adds it to the sums.
func spoolRows(w io.Writer, containers iter.Seq2[*model.Container, error], all *folder) error {
	out := bufio.NewWriter(w)
	for c, err := range containers {
		if err != nil {
			return err
		}
		all.add(c)
		if err := pages.ExecuteTemplate(out, "row", newLine(c, all)); err != nil {
			return fmt.Errorf("writing the row of %s: %w", c.Path, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the rows of the report: %w", err)
	}
	return nil
}
