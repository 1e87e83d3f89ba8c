package policy

import (
	"time"

	"github.com/google/cel-go/cel"

	"quire/internal/humanize"
	"quire/model"
)

// Policy is a service level: the conditions of a collection. It is immutable once read, and may
// serve several judges.
type Policy struct {
	Name        string
	Title       string
	Description string
	Stop        bool // a refused package is not made; otherwise it is made and marked

	ContainerFormats []string // as received: "ARC", "WARC", "WARC/1.1", "mirror"; empty accepts all
	Compressions     []string // "none", "gzip", "gzip-whole", "zstd"; empty accepts all
	Findings         Findings
	Formats          Formats
	Viruses          Viruses
	Copies           int      // required in the repository; 0 for no requirement
	Fixity           Interval // maximum interval between checks of every copy; zero for no requirement

	Tools []Tool
	Rules []Rule
	words *vocabulary // the variables for its rules

	Source []byte // as read
	SHA512 string // of Source, lower-case hex
}

// Findings states the findings accepted in containers.
type Findings struct {
	AtMost model.Severity // the gravest accepted; "" accepts all, None none
	Allow  []string       // codes always accepted
	Forbid []string       // codes always refused
}

// None as Findings.AtMost accepts no finding.
const None model.Severity = "none"

// Formats states the accepted payload formats: PUIDs, media types ("image/png", "image/*"), or
// Unknown.
type Formats struct {
	Accept []string // empty accepts all
	Refuse []string
}

// Unknown in Formats means a payload without a known PRONOM format.
const Unknown = "unknown"

// Viruses states the requirements for the virus check.
type Viruses struct {
	Scan     ScanNeed
	Infected Severity // severity of an infected payload; "" for no requirement
}

// ScanNeed is the required extent of scanning.
type ScanNeed string

// The possible extents of scanning.
const (
	ScanAny      ScanNeed = ""         // no requirement
	ScanRequired ScanNeed = "required" // each container was scanned
	ScanComplete ScanNeed = "complete" // and each payload in it, completely
)

// Interval is a calendar duration.
type Interval struct{ Years, Months, Days int }

// IsZero reports whether the interval is unset.
func (i Interval) IsZero() bool { return i == Interval{} }

// After returns the end of an interval that began at t.
func (i Interval) After(t time.Time) time.Time { return t.AddDate(i.Years, i.Months, i.Days) }

// String formats the interval in words.
func (i Interval) String() string {
	switch {
	case i.Years > 0:
		return humanize.Count(i.Years, "year")
	case i.Months > 0:
		return humanize.Count(i.Months, "month")
	}
	return humanize.Count(i.Days, "day")
}

// Severity is the consequence of a broken rule.
type Severity string

// The severities.
const (
	Refuse Severity = "refuse" // the package violates the policy
	Warn   Severity = "warn"   // needs human review
	Note   Severity = "note"   // for information
)

// Rule is broken if its expression is true.
type Rule struct {
	ID       string
	Scope    Scope
	Severity Severity
	When     string
	Message  string
	Line     int      // in the file
	Uses     []string // the variables in the expression, sorted
	Tools    []int    // the tools that state some of them, by their index in Policy.Tools

	program cel.Program
	cost    uint64 // maximum, of one evaluation
}

// Scope is the kind of item that a rule judges.
type Scope string

// The scopes.
const (
	ScopePackage   Scope = "package"
	ScopeHarvest   Scope = "harvest"
	ScopeContainer Scope = "container"
	ScopeFinding   Scope = "finding" // a code in a container
	ScopeFormat    Scope = "format"  // a format in a harvest
	ScopeRecord    Scope = "record"
)

// Scopes lists the scopes, the widest first.
var Scopes = []Scope{ScopePackage, ScopeHarvest, ScopeContainer, ScopeFinding, ScopeFormat, ScopeRecord}

// Needs states the input required to judge by a policy.
type Needs struct {
	Containers bool // containers must be read
	Formats    bool // and their payload formats identified
	Records    bool // and each record passed
	Harvests   bool // records depend on facts about the harvest

	// Scan means that the policy requires a virus scanner.
	Scan bool

	Tools bool // rules use facts of tools, which examine payloads
}

// Needs returns the input required.
func (p *Policy) Needs() Needs {
	n := Needs{
		Containers: len(p.ContainerFormats)+len(p.Compressions) > 0 || p.Findings.asked(),
		Formats:    len(p.Formats.Accept)+len(p.Formats.Refuse) > 0 || p.Findings.namesFormats(),
		Scan:       p.Viruses.Scan != ScanAny,
	}
	for i := range p.Rules {
		r := &p.Rules[i]
		n.Records = n.Records || r.Scope == ScopeRecord
		// even if the rule uses only the harvest: there must be formats to judge
		n.Tools = n.Tools || len(r.Tools) > 0
		n.Formats = n.Formats || r.Scope == ScopeFormat || n.Tools // the format decides on the tool
		for _, name := range r.Uses {
			v := p.words.variable(name)
			n.Formats = n.Formats || v.family() == "format"
			n.Containers = n.Containers || v.read
			n.Harvests = n.Harvests || r.Scope == ScopeRecord && v.family() == "harvest"
		}
		n.Containers = n.Containers || r.Scope == ScopeContainer || r.Scope == ScopeFinding
	}
	n.Containers = n.Containers || n.Formats || n.Records
	return n
}
