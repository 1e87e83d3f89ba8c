package inspect

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"quire/format/fault"
	"quire/model"
	"quire/model/finding"
)

// Policy sets severities by code, with precedence over the catalogue and Options.Strict.
type Policy map[fault.Code]model.Severity

// maxPolicyLine bounds a line of a policy file, in bytes.
const maxPolicyLine = 64 << 10

// ReadPolicy reads a policy file: one "CODE severity" per line, with the severity error, warning or
// info. It ignores empty lines and the text after a #. The error names the line.
func ReadPolicy(r io.Reader) (Policy, error) {
	p := Policy{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxPolicyLine)
	n := 0
	for lines.Scan() {
		n++
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if err := p.set(words); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n+1, err)
	}
	return p, nil
}

// set applies the words of one line.
func (p Policy) set(words []string) error {
	if strings.HasSuffix(words[0], ":") {
		return fmt.Errorf("%.40q is a key of YAML: a service level judges by quire stats, pack or validate; here a "+
			"line is a code and a severity, such as WARC-DATE warning", words[0])
	}
	if len(words) != 2 {
		return fmt.Errorf("the line has %d words; expected two: a code and a severity, such as WARC-DATE "+
			"warning", len(words))
	}
	code, severity := fault.Code(words[0]), model.Severity(words[1])
	if _, known := Catalogue.Explain(words[0]); !known {
		return fmt.Errorf("no finding has the code %.40q; docs/reference/500_findings.md lists them", words[0])
	}
	switch severity {
	case model.Error, model.Warning, model.Info:
	default:
		return fmt.Errorf("%.40q is not a severity; use error, warning or info", words[1])
	}
	if _, twice := p[code]; twice {
		return fmt.Errorf("%s is set twice", code)
	}
	p[code] = severity
	return nil
}

// severityOf returns the severity of a code under these options.
func (o *Options) severityOf(code fault.Code) model.Severity {
	if s, ok := o.Policy[code]; ok {
		return s
	}
	e, ok := Catalogue.Explain(string(code))
	if !ok || o.Strict && e.Breaks {
		return model.Error
	}
	return e.Severity
}

// Explain returns the entry of a code, with its severity under these options. It returns false if
// the code does not exist.
func (o *Options) Explain(code string) (finding.Entry, bool) {
	e, ok := Catalogue.Explain(code)
	e.Severity = o.severityOf(fault.Code(code))
	return e, ok
}
