package migrate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/format/charset"
	"quire/internal/program"
	"quire/internal/sandbox"
	"quire/internal/yamlfile"
	"quire/preserve/migrate/internal/builtin"
)

// Rule defines how bytestreams of some formats are converted to another.
type Rule struct {
	Name    string
	From    []string // accepted PRONOM keys and media types
	MIME    string   // the media type of the result
	PUIDs   []string // allowed PRONOM keys of the result; not checked if empty
	Builtin string   // a conversion built into Quire
	Command []string // or a program: see package program
	Version []string // the program with arguments that print its version

	Undeclared string // html-to-utf8: the encoding of documents that declare none
	Limits     sandbox.Limits
	// of a command: whether it runs if the kernel cannot isolate it; "" is sandbox.DefaultDemand
	Jail  sandbox.Demand
	Reads []string // of a command: readable paths besides the system's folders and its own
}

// The forms of names in rules.
var (
	puidForm = regexp.MustCompile(`^(x-)?fmt/[0-9]+$`)
	nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,40}$`)
)

// ReadRule reads a rule from a file. If the file does not exist, it returns the rule of a built-in
// conversion.
func ReadRule(path string) (*Rule, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if r, ok := usual[path]; ok {
			return r, nil
		}
		return nil, fmt.Errorf("%w, and no built-in rule has this name; these are %s", err,
			strings.Join(builtin.Names(), ", "))
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return ParseRule(f, "the rule "+path)
}

// ParseRule reads a rule in YAML. name is the file name for errors.
func ParseRule(in io.Reader, name string) (*Rule, error) {
	doc, err := yamlfile.Read(in, name)
	if err != nil {
		return nil, err
	}
	r := &Rule{}
	var p program.Program
	keys := p.Fields()
	for _, key := range []string{"prints", "statuses"} { // the result of a conversion is a file, or it failed
		delete(keys, key)
	}
	var old sandbox.Limits
	maps.Copy(keys, map[string]func(*yamlfile.Node){
		"name": func(n *yamlfile.Node) {
			if r.Name = n.Text(); r.Name != "" && !nameForm.MatchString(r.Name) {
				n.Fail("%.80q is no name of a rule: want small letters, digits and hyphens", r.Name)
			}
		},
		"from": func(n *yamlfile.Node) { r.From = formats(n) },
		"to": func(n *yamlfile.Node) {
			n.Fields(map[string]func(*yamlfile.Node){
				"mime": func(n *yamlfile.Node) { r.MIME = mediaType(n) },
				"puid": func(n *yamlfile.Node) { r.PUIDs = puids(n) },
			})
		},
		"builtin":    func(n *yamlfile.Node) { r.Builtin = n.OneOf(builtin.Names()...) },
		"undeclared": func(n *yamlfile.Node) { r.Undeclared = n.Text() },
		"limits":     func(n *yamlfile.Node) { old = limits(n) },
		"jail": func(n *yamlfile.Node) {
			r.Jail = sandbox.Demand(n.OneOf(string(sandbox.Required), string(sandbox.BestEffort)))
		},
	})
	doc.Fields(keys)
	r.Command, r.Version, r.Reads, r.Limits = p.Command, p.Version, p.Reads, p.Limits()
	if old != (sandbox.Limits{}) {
		if r.Limits != (sandbox.Limits{}) {
			doc.Fail("limits and timeout, output, memory or scratch: write the limits in one of the two forms")
		}
		r.Limits = old
	}
	r.check(doc)
	return r, doc.Err()
}

// check checks that the keys are consistent.
func (r *Rule) check(doc *yamlfile.Node) {
	for _, k := range []struct {
		what  string
		lacks bool
	}{{"name", r.Name == ""}, {"from", len(r.From) == 0}, {"to: mime", r.MIME == ""}} {
		if k.lacks {
			doc.Fail("%s is missing", k.what)
		}
	}
	switch {
	case (r.Builtin == "") == (len(r.Command) == 0):
		doc.Fail("want either builtin or command")
	case r.Builtin != "":
		if len(r.Version)+len(r.Reads) > 0 || r.Limits != (sandbox.Limits{}) {
			doc.Fail("version, limits and reads are of a command")
		}
	case len(r.Version) == 0:
		doc.Fail("version is missing: add the command that prints the program's version")
	default:
		for i, args := range [][]string{r.Command, r.Version} {
			c := sandbox.Command{Args: args, Reads: r.Reads}
			if err := c.CheckArgs(); err != nil {
				doc.Fail("%s: %v", []string{"command", "version"}[i], err)
			}
		}
	}
	if r.Undeclared != "" && charset.Resolve(r.Undeclared) == "" {
		doc.Fail("undeclared: %.40q is no encoding of the Encoding Standard", r.Undeclared)
	}
	if r.Undeclared != "" && r.Builtin != "html-to-utf8" {
		doc.Fail("undeclared is of the builtin html-to-utf8")
	}
}

func formats(n *yamlfile.Node) (all []string) {
	for _, s := range n.Texts() {
		if f, err := ParseFormat(s); err != nil {
			n.Fail("%v", err)
		} else {
			all = append(all, f)
		}
	}
	return all
}

// ParseFormat parses a PRONOM key or a media type, and returns it in lower case.
func ParseFormat(s string) (string, error) {
	s = strings.ToLower(s)
	if puidForm.MatchString(s) {
		return s, nil
	}
	if media, params, err := mime.ParseMediaType(s); err == nil && strings.Count(media, "/") == 1 && len(params) == 0 {
		return media, nil
	}
	return "", fmt.Errorf("%.80q is neither a key of PRONOM, such as fmt/3, nor a media type", s)
}

func puids(n *yamlfile.Node) []string {
	all := n.Texts()
	if i := slices.IndexFunc(all, func(s string) bool { return s != "" && !puidForm.MatchString(s) }); i >= 0 {
		n.Fail("%.80q is no key of PRONOM, such as fmt/11", all[i])
	}
	return all
}

func mediaType(n *yamlfile.Node) string {
	s := n.Text()
	if media, _, err := mime.ParseMediaType(s); s != "" && (err != nil || strings.Count(media, "/") != 1) {
		n.Fail("%.80q is no media type", s)
	}
	return s
}

func limits(n *yamlfile.Node) (l sandbox.Limits) {
	size := func(to *int64) func(*yamlfile.Node) {
		return func(n *yamlfile.Node) { *to = bytesOf(n) }
	}
	n.Fields(map[string]func(*yamlfile.Node){
		"time": func(n *yamlfile.Node) {
			d, err := time.ParseDuration(n.Text())
			if err != nil || d <= 0 {
				n.Fail("is no duration, such as 30s or 5m")
			}
			l.Time = d
		},
		"output": size(&l.Output), "scratch": size(&l.Scratch), "memory": size(&l.Memory),
	})
	return l
}

// bytesOf reads a number of bytes: 500 MB, 2 GB.
func bytesOf(n *yamlfile.Node) int64 {
	number, unit, _ := strings.Cut(n.Text(), " ")
	per, known := map[string]int64{"": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]
	v, err := strconv.ParseInt(number, 10, 32)
	if err != nil || !known || v <= 0 {
		n.Fail("is no number of bytes, such as 500 MB or 2 GB")
	}
	return v * per
}

// usual maps the built-in conversions to their rules.
var usual = map[string]*Rule{
	"gif-to-png": {
		Name: "gif-to-png", Builtin: "gif-to-png", From: []string{"fmt/3", "fmt/4", "image/gif"},
		MIME: "image/png", PUIDs: []string{"fmt/11", "fmt/12", "fmt/13", "fmt/935"},
	},
	"xbm-to-png": {
		Name: "xbm-to-png", Builtin: "xbm-to-png",
		From: []string{"x-fmt/207", "image/x-xbitmap", "image/x-xbm", "image/xbm"},
		MIME: "image/png", PUIDs: []string{"fmt/11", "fmt/12", "fmt/13"},
	},
	"html-to-utf8": {
		Name: "html-to-utf8", Builtin: "html-to-utf8", MIME: "text/html;charset=utf-8",
		From: []string{"text/html", "application/xhtml+xml", "fmt/96", "fmt/97", "fmt/98", "fmt/99", "fmt/100",
			"fmt/102", "fmt/103", "fmt/471"},
	},
}
