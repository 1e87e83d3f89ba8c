package policy

import (
	"time"

	"github.com/google/cel-go/cel"

	"quire/internal/humanize"
	"quire/model"
)

// Policy is a service level: what a collection accepts. It is only read after it was made, and may
// serve several judges.
type Policy struct {
	Name        string
	Title       string
	Description string
	Stop        bool // a refused package is not made; else it is made, and marked

	ContainerFormats []string // as received: "ARC", "WARC", "WARC/1.1", "mirror"; none accepts all
	Compressions     []string // "none", "gzip", "gzip-whole", "zstd"; none accepts all
	Findings         Findings
	Formats          Formats
	Viruses          Viruses
	Copies           int      // that the repository is to keep; 0 when nothing is asked
	Fixity           Interval // in which every copy is to be read again; zero when nothing is asked

	Rules []Rule

	Source []byte // as read
	SHA512 string // of Source, lower-case hex
}

// Findings says which findings are accepted in containers.
type Findings struct {
	AtMost model.Severity // the gravest; "" accepts all, None none
	Allow  []string       // codes that are accepted all the same
	Forbid []string       // codes that are refused all the same
}

// None as Findings.AtMost accepts no finding.
const None model.Severity = "none"

// Formats says which formats of payloads are accepted: PUIDs, media types ("image/png", "image/*"),
// or Unknown.
type Formats struct {
	Accept []string // none accepts all
	Refuse []string
}

// Unknown in Formats is what PRONOM knows no format of.
const Unknown = "unknown"

// Viruses says what is asked of the virus check.
type Viruses struct {
	Scan     ScanNeed
	Infected Severity // how bad an infected payload is; "" when nothing is asked
}

// ScanNeed is how much is to be scanned.
type ScanNeed string

// The needs.
const (
	ScanAny      ScanNeed = ""         // nothing is asked
	ScanRequired ScanNeed = "required" // each container was scanned
	ScanComplete ScanNeed = "complete" // and each payload in it, to its end
)

// Interval is a span of the calendar.
type Interval struct{ Years, Months, Days int }

// IsZero reports whether there is none.
func (i Interval) IsZero() bool { return i == Interval{} }

// After is when the interval is over that began at t.
func (i Interval) After(t time.Time) time.Time { return t.AddDate(i.Years, i.Months, i.Days) }

// String writes the interval in words.
func (i Interval) String() string {
	switch {
	case i.Years > 0:
		return humanize.Count(i.Years, "year")
	case i.Months > 0:
		return humanize.Count(i.Months, "month")
	}
	return humanize.Count(i.Days, "day")
}

// Severity says what it means that a rule is broken.
type Severity string

// The severities.
const (
	Refuse Severity = "refuse" // the package breaks the policy
	Warn   Severity = "warn"   // a person is to look at it
	Note   Severity = "note"   // worth knowing
)

// Rule is broken where its expression is true.
type Rule struct {
	ID       string
	Scope    Scope
	Severity Severity
	When     string
	Message  string
	Line     int      // in the file
	Uses     []string // the variables in the expression, sorted

	program cel.Program
	cost    uint64 // at most, of one evaluation
}

// Scope is what a rule is judged for, one by one.
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

// Needs is what has to be found out to judge by a policy.
type Needs struct {
	Containers bool // containers have to be read
	Formats    bool // and the formats of their payloads identified
	Records    bool // and each record told
	Harvests   bool // what is known of the harvest decides about records

	// ScannedBytes says that the policy cannot be met unless a virus scanner is asked.
	Scan bool
}

// Needs says what has to be found out.
func (p *Policy) Needs() Needs {
	n := Needs{
		Containers: len(p.ContainerFormats)+len(p.Compressions) > 0 || p.Findings.asked(),
		Formats:    len(p.Formats.Accept)+len(p.Formats.Refuse) > 0 || p.Findings.namesFormats(),
		Scan:       p.Viruses.Scan != ScanAny,
	}
	for i := range p.Rules {
		r := &p.Rules[i]
		n.Records = n.Records || r.Scope == ScopeRecord
		// even of one that asks about the harvest only: there must be formats to judge
		n.Formats = n.Formats || r.Scope == ScopeFormat
		for _, name := range r.Uses {
			v := variables[name]
			n.Formats = n.Formats || v.family() == "format"
			n.Containers = n.Containers || v.read
			n.Harvests = n.Harvests || r.Scope == ScopeRecord && v.family() == "harvest"
		}
		n.Containers = n.Containers || r.Scope == ScopeContainer || r.Scope == ScopeFinding
	}
	n.Containers = n.Containers || n.Formats || n.Records
	return n
}
