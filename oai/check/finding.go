package check

import (
	"fmt"
	"strings"

	"quire/model"
)

// Finding is one error of a provider.
type Finding struct {
	Code     string         `json:"code"`
	Severity model.Severity `json:"severity"`
	Clause   string         `json:"clause"` // of OAI-PMH 2.0, or of another standard
	Request  string         `json:"request"`
	Message  string         `json:"message"`
}

// String returns the finding as one line.
func (f Finding) String() string {
	return fmt.Sprintf("%-7s %s: %s (clause %s; %s)", f.Severity, f.Code, f.Message, f.Clause, f.Request)
}

// maxPerCode is the number of reported findings of one code. The same error in every record is one
// error.
const maxPerCode = 5

// find reports an error.
func (k *checker) find(code, request, format string, args ...any) {
	e, ok := Catalogue.Explain(code)
	if !ok {
		panic("oai/check: finding missing from the catalogue: " + code)
	}
	k.counts[code]++
	n := k.counts[code]
	switch e.Severity {
	case model.Error:
		k.report.Errors++
	case model.Warning:
		k.report.Warnings++
	}
	if n > maxPerCode {
		return
	}
	message := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	if n == maxPerCode {
		message += " (more findings of this code are only counted)"
	}
	f := Finding{Code: code, Severity: e.Severity, Clause: e.Clause, Request: request, Message: message}
	k.report.Findings = append(k.report.Findings, f)
	if k.opt.Found != nil {
		k.opt.Found(f)
	}
}
