package check

import (
	"fmt"
	"strings"

	"quire/model"
)

// Finding is one thing that is wrong with a provider.
type Finding struct {
	Code     string         `json:"code"`
	Severity model.Severity `json:"severity"`
	Clause   string         `json:"clause"` // of OAI-PMH 2.0, or of what else has the rule
	Request  string         `json:"request"`
	Message  string         `json:"message"`
}

// String is the finding on one line.
func (f Finding) String() string {
	return fmt.Sprintf("%-7s %s: %s (clause %s; %s)", f.Severity, f.Code, f.Message, f.Clause, f.Request)
}

// mostOfOne is how many findings of one code are told: the same mistake in every record is one
// mistake.
const mostOfOne = 5

// find tells of something that is wrong.
func (k *checker) find(code, request, format string, args ...any) {
	e, ok := Catalogue.Explain(code)
	if !ok {
		panic("oai/check: a finding that is not in the catalogue: " + code)
	}
	k.counts[code]++
	n := k.counts[code]
	switch e.Severity {
	case model.Error:
		k.report.Errors++
	case model.Warning:
		k.report.Warnings++
	}
	if n > mostOfOne {
		return
	}
	message := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	if n == mostOfOne {
		message += " (more of this kind are counted, not told)"
	}
	f := Finding{Code: code, Severity: e.Severity, Clause: e.Clause, Request: request, Message: message}
	k.report.Findings = append(k.report.Findings, f)
	if k.opt.Found != nil {
		k.opt.Found(f)
	}
}
