package policy

import (
	"bytes"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quire/internal/yamlfile"
	"quire/model"
)

// Limits of a policy file, far above any real service level.
const (
	maxRules = 200
	maxList  = 2000
	maxShort = 200  // bytes of a name, a title, a value in a list
	maxLong  = 8000 // of a description
)

// ReadFile reads the policy file at path.
func ReadFile(path string) (*Policy, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	p, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// Read reads a policy: YAML as in docs/reference/330_policy.md only. It compiles the expressions
// and checks their types. The error lists all problems with their lines.
func Read(in io.Reader) (*Policy, error) {
	var source bytes.Buffer
	doc, err := yamlfile.Read(io.TeeReader(in, &source), "the policy")
	if err != nil {
		return nil, &wrongError{err}
	}
	sum := sha512.Sum512(source.Bytes())
	p := &Policy{Source: source.Bytes(), SHA512: hex.EncodeToString(sum[:])}
	p.read(doc)
	if err := doc.Err(); err != nil {
		return nil, &wrongError{err}
	}
	return p, nil
}

// wrongError reports an invalid policy.
type wrongError struct{ error }

// Unwrap returns the underlying error.
func (e *wrongError) Unwrap() error { return e.error }

// IsWrong reports whether an error is in the content of a policy, and not in reading it.
func IsWrong(err error) bool {
	var wrong *wrongError
	return errors.As(err, &wrong)
}

// read reads the whole document.
func (p *Policy) read(doc *yamlfile.Node) {
	named := false
	var tools, rules *yamlfile.Node
	doc.Fields(map[string]func(*yamlfile.Node){
		"name": func(n *yamlfile.Node) {
			named = true
			p.Name = name(n)
		},
		"title":       func(n *yamlfile.Node) { p.Title = text(n, maxShort) },
		"description": func(n *yamlfile.Node) { p.Description = text(n, maxLong) },
		"on_refusal":  func(n *yamlfile.Node) { p.Stop = n.OneOf("keep", "stop") == "stop" },
		"containers": func(n *yamlfile.Node) {
			n.Fields(map[string]func(*yamlfile.Node){
				"formats":     func(n *yamlfile.Node) { p.ContainerFormats = list(n, wrongContainerFormat) },
				"compression": func(n *yamlfile.Node) { p.Compressions = list(n, wrongCompression) },
			})
		},
		"findings": p.Findings.read,
		"formats": func(n *yamlfile.Node) {
			n.Fields(map[string]func(*yamlfile.Node){
				"accept": func(n *yamlfile.Node) { p.Formats.Accept = list(n, wrongFormat) },
				"refuse": func(n *yamlfile.Node) { p.Formats.Refuse = list(n, wrongFormat) },
			})
		},
		"viruses": func(n *yamlfile.Node) {
			n.Fields(map[string]func(*yamlfile.Node){
				"scan": func(n *yamlfile.Node) {
					p.Viruses.Scan = ScanNeed(n.OneOf(string(ScanRequired), string(ScanComplete)))
				},
				"infected": func(n *yamlfile.Node) { p.Viruses.Infected = severity(n) },
			})
		},
		"copies":          func(n *yamlfile.Node) { p.Copies = copies(n) },
		"fixity_interval": func(n *yamlfile.Node) { p.Fixity = interval(n) },
		"tools":           func(n *yamlfile.Node) { tools = n },
		"rules":           func(n *yamlfile.Node) { rules = n },
	})
	p.readToolsAndRules(doc, tools, rules)
	if !named {
		doc.Fail("the policy has no name")
	}
}

func (f *Findings) read(n *yamlfile.Node) {
	n.Fields(map[string]func(*yamlfile.Node){
		"at_most": func(n *yamlfile.Node) {
			f.AtMost = model.Severity(n.OneOf(string(None), string(model.Info), string(model.Warning),
				string(model.Error)))
		},
		"allow":  func(n *yamlfile.Node) { f.Allow = list(n, wrongCode) },
		"forbid": func(n *yamlfile.Node) { f.Forbid = list(n, wrongCode) },
	})
	for _, code := range f.Allow {
		if slices.Contains(f.Forbid, code) {
			n.Fail("%s is both allowed and forbidden", code)
		}
	}
}

func severity(n *yamlfile.Node) Severity {
	return Severity(n.OneOf(string(Refuse), string(Warn), string(Note)))
}

// text reads a text of limited length.
func text(n *yamlfile.Node, most int) string {
	s := n.Text()
	switch {
	case len(s) > most:
		n.Fail("is longer than %d bytes", most)
	case strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' }):
		n.Fail("has a control character")
	}
	return s
}

// maxName limits the letters of a name.
const maxName = 64

// name reads a portable name.
func name(n *yamlfile.Node) string {
	s := n.Text()
	wrong := strings.IndexFunc(s, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("._-", c)
	})
	if s != "" && (wrong >= 0 || strings.ContainsRune("._-", rune(s[0])) || utf8.RuneCountInString(s) > maxName) {
		n.Fail("%.80q is not a name: use letters and digits, with . _ - between them, at most %d", s, maxName)
	}
	return s
}

// list reads a list of values, without duplicates; wrong returns the error in a value, or "".
func list(n *yamlfile.Node, wrong func(string) string) []string {
	all := n.Texts()
	if len(all) == 0 || len(all) > maxList {
		n.Fail("has %d values; needs 1 to %d", len(all), maxList)
		return nil
	}
	seen := map[string]bool{}
	for _, s := range all {
		why := wrong(s)
		switch {
		case s == "": // already reported
		case why != "":
			n.Fail("%s", why)
		case seen[s]:
			n.Fail("%s is duplicated", s)
		}
		seen[s] = true
	}
	return all
}

// maxCopies is far above any real number.
const maxCopies = 100

func copies(n *yamlfile.Node) int {
	v := n.Number()
	if v < 1 || v > maxCopies {
		n.Fail("must be 1 to %d copies", maxCopies)
	}
	return int(min(v, maxCopies))
}

// interval reads a number and a calendar unit: "90 days".
func interval(n *yamlfile.Node) (i Interval) {
	s := n.Text()
	const most = 1000
	if words := strings.Fields(s); len(words) == 2 {
		count, err := strconv.Atoi(words[0])
		if err == nil && count >= 1 && count <= most {
			switch strings.TrimSuffix(words[1], "s") {
			case "day":
				i.Days = count
			case "week":
				i.Days = 7 * count
			case "month":
				i.Months = count
			case "year":
				i.Years = count
			}
		}
	}
	if s != "" && i.IsZero() {
		n.Fail("%.80q is not an interval: write it as 90 days, or with weeks, months or years", s)
	}
	return i
}
