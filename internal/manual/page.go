package manual

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// Page is one man page of section 1.
type Page struct {
	Name string // file name, such as quire-pack.1
	Text []byte // in the macros of man(7)
}

// Program holds the text that all pages share.
type Program struct {
	Version  string
	Overview string // text of the program's own page
	Status   string // meaning of the exit statuses
}

// Pages returns the program's page and one for each visible command.
func Pages(app *kong.Application, p Program) []Page {
	pages := []Page{p.front(app.Node)}
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		for _, child := range n.Children {
			switch {
			case child.Hidden:
			case child.Leaf():
				pages = append(pages, p.command(child))
			default:
				walk(child)
			}
		}
	}
	walk(app.Node)
	return pages
}

// roff is a page being written.
type roff struct{ bytes.Buffer }

func (r *roff) head(name string, p Program) {
	r.line(".TH %s 1 \"\" %s %s", quoted(strings.ToUpper(name)), quoted(p.Version), quoted("Quire"))
}

func (r *roff) section(name string) { r.line(".SH %s", quoted(name)) }

func (r *roff) line(format string, args ...any) { _, _ = fmt.Fprintf(r, format+"\n", args...) } // a buffer never fails

// text writes a paragraph. It escapes a line that begins with a dot or an apostrophe, which would
// be a request.
func (r *roff) text(s string) {
	for line := range strings.Lines(s) {
		line = escaped(strings.TrimSpace(line))
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		if line != "" {
			r.WriteString(line + "\n")
		}
	}
}

// verbatim writes lines unchanged.
func (r *roff) verbatim(s string) {
	r.WriteString(".nf\n")
	for line := range strings.Lines(s) {
		r.WriteString(`\&` + escaped(strings.TrimRight(line, "\n")) + "\n")
	}
	r.WriteString(".fi\n")
}

// term writes a term and its explanation.
func (r *roff) term(name, explained string) {
	r.line(".TP\n\\fB%s\\fR", escaped(name))
	r.text(explained)
}

func (p Program) front(app *kong.Node) Page {
	var r roff
	r.head(app.Name, p)
	r.section("NAME")
	r.text(app.Name + " - " + strings.TrimSuffix(app.Help, "."))
	r.section("DESCRIPTION")
	r.verbatim(p.Overview)
	r.section("EXIT STATUS")
	r.text(p.Status)
	return Page{app.Name + ".1", r.Bytes()}
}

func (p Program) command(n *kong.Node) Page {
	var r roff
	name := strings.ReplaceAll(n.FullPath(), " ", "-")
	r.head(name, p)
	r.section("NAME")
	r.text(name + " - " + strings.TrimSuffix(n.Help, "."))
	r.section("SYNOPSIS")
	r.text(n.FullPath() + " " + strings.TrimSpace(strings.TrimPrefix(n.Summary(), n.Path())))
	if len(n.Positional) > 0 {
		r.section("ARGUMENTS")
		for _, a := range n.Positional {
			r.term(a.Summary(), a.Help)
		}
	}
	r.section("OPTIONS")
	for _, f := range flagsOf(n) {
		r.term(f.String(), explained(f))
	}
	if n.Detail != "" {
		r.section("EXAMPLES")
		r.verbatim(strings.TrimPrefix(n.Detail, "Examples:\n\n"))
	}
	r.section("EXIT STATUS")
	r.text(p.Status)
	r.section("SEE ALSO")
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	r.line(".BR %s (1)", root.Name)
	return Page{name + ".1", r.Bytes()}
}

// explained returns the help of a flag, with its environment variable.
func explained(f *kong.Flag) string {
	if len(f.Envs) == 0 {
		return f.Help
	}
	return f.Help + " By default it is read from the environment: $" + strings.Join(f.Envs, ", $") + "."
}

// flagsOf returns the visible flags of a command.
func flagsOf(n *kong.Node) (flags []*kong.Flag) {
	for _, group := range n.AllFlags(true) {
		flags = append(flags, group...)
	}
	return flags
}

var special = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...")

func escaped(s string) string { return special.Replace(s) }

func quoted(s string) string { return `"` + strings.ReplaceAll(escaped(s), `"`, `\(dq`) + `"` }
