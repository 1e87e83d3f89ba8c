package policy

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"quire/model"
)

// kind is the type of a variable, in the words of CEL.
type kind string

const (
	isText   kind = "string"
	isNumber kind = "int"
	isTruth  kind = "bool"
	isTime   kind = "timestamp"
	isTexts  kind = "list(string)"
)

// Variable is one that expressions may use.
type Variable struct {
	Name    string  `json:"name"`
	Type    string  `json:"type"`
	Scopes  []Scope `json:"scopes"` // of the rules that may use it
	Meaning string  `json:"meaning"`
}

// variable is a Variable, and where its value comes from.
type variable struct {
	name    string
	kind    kind
	meaning string
	scopes  []Scope
	read    bool // the containers have to be read for it
	get     func(*facts) ref.Val
}

func (v *variable) family() string {
	family, _, _ := strings.Cut(v.name, ".")
	return family
}

// The scopes in which a family of variables has values.
var (
	ofPackage   = []Scope{ScopePackage}
	ofTotals    = []Scope{ScopeHarvest}
	ofHarvest   = []Scope{ScopeHarvest, ScopeContainer, ScopeFinding, ScopeFormat, ScopeRecord}
	ofContainer = []Scope{ScopeContainer, ScopeFinding}
	ofScanned   = []Scope{ScopePackage, ScopeHarvest, ScopeContainer}
	ofFinding   = []Scope{ScopeFinding}
	ofFormat    = []Scope{ScopeFormat, ScopeRecord}
	ofCounts    = []Scope{ScopeFormat}
	ofRecord    = []Scope{ScopeRecord}
)

// variables are all that there are, by name. It is only read after it was made.
var variables = func() map[string]*variable {
	all := map[string]*variable{}
	for _, family := range [][]variable{packageVariables, harvestVariables, containerVariables, scanVariables,
		findingVariables, formatVariables, recordVariables} {
		for i := range family {
			v := &family[i]
			if v.family() == "harvest" {
				v.get = ofKnown(v)
			}
			all[v.name] = v
		}
	}
	return all
}()

// Variables lists what expressions may use, in the order of the names.
func Variables() []Variable {
	all := make([]Variable, 0, len(variables))
	for _, v := range variables {
		all = append(all, Variable{v.name, string(v.kind), v.scopes, v.meaning})
	}
	slices.SortFunc(all, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// packageVariables are called pkg, because CEL reserves the word package.
var packageVariables = []variable{
	word(ofPackage, "pkg.id", "identifier", func(f *facts) string { return f.pkg.ID }),
	word(ofPackage, "pkg.title", "title", func(f *facts) string { return f.pkg.Title }),
	whole(ofPackage, "pkg.files", "files that the METS lists", func(f *facts) int64 { return f.pkg.Files }),
	whole(ofPackage, "pkg.bytes", "their size", func(f *facts) int64 { return f.pkg.Bytes }),
	whole(ofPackage, "pkg.containers", "containers", func(f *facts) int64 { return f.whole.containers }),
	reading(whole(ofPackage, "pkg.records", "records in them", func(f *facts) int64 { return f.whole.records })),
	reading(moment(ofPackage, "pkg.first", "first capture", func(f *facts) time.Time { return f.whole.first })),
	reading(year(ofPackage, "pkg.first", func(f *facts) time.Time { return f.whole.first })),
	reading(moment(ofPackage, "pkg.last", "last capture", func(f *facts) time.Time { return f.whole.last })),
	reading(year(ofPackage, "pkg.last", func(f *facts) time.Time { return f.whole.last })),
}

var harvestVariables = []variable{
	word(ofHarvest, "harvest.system",
		"what crawled: heritrix, netarchivesuite, web-curator-tool, pandas, httrack, wget, browsertrix, wacz, "+
			"bare-containers, plain-folder", func(f *facts) string { return f.harvest.System }),
	word(ofHarvest, "harvest.id", "what that system calls the harvest", func(f *facts) string { return f.harvest.ID }),
	word(ofHarvest, "harvest.documentation", "documented, partly-documented or absent", func(f *facts) string {
		return f.harvest.Documentation
	}),
	words(ofHarvest, "harvest.software", "crawlers, with their versions as written", func(f *facts) []string {
		return f.harvest.Software
	}),
	words(ofHarvest, "harvest.operators", "operators, as written", func(f *facts) []string {
		return f.harvest.Operators
	}),
	words(ofHarvest, "harvest.user_agents", "user agents", func(f *facts) []string { return f.harvest.UserAgents }),
	words(ofHarvest, "harvest.robots", "policies for robots.txt, in the crawler's own word", func(f *facts) []string {
		return f.harvest.Robots
	}),
	words(ofHarvest, "harvest.seeds", "seeds that the METS lists", func(f *facts) []string { return f.harvest.Seeds }),
	truth(ofHarvest, "harvest.dated", "start and end are known", func(f *facts) bool {
		return !f.harvest.Start.IsZero()
	}),
	moment(ofHarvest, "harvest.start", "begin of the run or, where nothing documents it, the first capture",
		func(f *facts) time.Time { return f.harvest.Start }),
	year(ofHarvest, "harvest.start", func(f *facts) time.Time { return f.harvest.Start }),
	moment(ofHarvest, "harvest.end", "end of the run or, where nothing documents it, the last capture",
		func(f *facts) time.Time { return f.harvest.End }),
	year(ofHarvest, "harvest.end", func(f *facts) time.Time { return f.harvest.End }),
	whole(ofTotals, "harvest.containers", "containers", func(f *facts) int64 { return f.harvest.containers }),
	reading(whole(ofTotals, "harvest.records", "records in them", func(f *facts) int64 { return f.harvest.records })),
}

var containerVariables = []variable{
	word(ofContainer, "container.path", "path within the package", func(f *facts) string { return f.container.Path }),
	word(ofContainer, "container.received", "format as received: WARC, ARC, mirror; \"\" of what is none", received),
	word(ofContainer, "container.format", "format in the package: WARC, ARC; \"\" of what is none",
		func(f *facts) string { return f.container.Read.Format }),
	words(ofContainer, "container.versions", "versions of it that its records state: 1.0, 1.1",
		func(f *facts) []string { return f.container.Read.Versions }),
	word(ofContainer, "container.compression", "none, gzip, gzip-whole (the file in one member), zstd",
		func(f *facts) string { return f.container.Read.Compression }),
	word(ofContainer, "container.outcome", "valid, invalid, not-a-container", func(f *facts) string {
		return string(f.container.Read.Outcome)
	}),
	word(ofContainer, "container.software", "what wrote it, as its first record says", func(f *facts) string {
		return f.container.Read.Software
	}),
	whole(ofContainer, "container.bytes", "size as stored", func(f *facts) int64 { return f.container.Bytes }),
	whole(ofContainer, "container.inflated_bytes", "size without compression", func(f *facts) int64 {
		return f.container.Read.InflatedBytes
	}),
	whole(ofContainer, "container.records", "records", func(f *facts) int64 { return f.container.Read.Records.Total }),
	moment(ofContainer, "container.first", "first capture", func(f *facts) time.Time {
		return orZero(f.container.Read.First)
	}),
	year(ofContainer, "container.first", func(f *facts) time.Time { return orZero(f.container.Read.First) }),
	moment(ofContainer, "container.last", "last capture", func(f *facts) time.Time {
		return orZero(f.container.Read.Last)
	}),
	year(ofContainer, "container.last", func(f *facts) time.Time { return orZero(f.container.Read.Last) }),
	whole(ofContainer, "container.errors", "findings of severity error", func(f *facts) int64 {
		return graded(f, model.Error)
	}),
	whole(ofContainer, "container.warnings", "findings of severity warning", func(f *facts) int64 {
		return graded(f, model.Warning)
	}),
	words(ofContainer, "container.codes", "codes of its findings", codesOf),
}

var scanVariables = []variable{
	truth(ofScanned, "scan.asked", "a virus scanner was asked, for each container", func(f *facts) bool {
		return f.scan.asked > 0 && f.scan.asked == f.scan.containers
	}),
	word(ofScanned, "scan.outcome", "clean, infected, incomplete, not-scanned; \"\" when no scanner was asked",
		func(f *facts) string { return string(f.scan.outcome) }),
	whole(ofScanned, "scan.scanned", "payloads that were scanned to their end", func(f *facts) int64 {
		return f.scan.scanned
	}),
	whole(ofScanned, "scan.infected", "of these, those with a virus", func(f *facts) int64 { return f.scan.infected }),
	whole(ofScanned, "scan.cleaned", "of these, those of which a program made something clean", func(f *facts) int64 {
		return f.scan.cleaned
	}),
	whole(ofScanned, "scan.not_scanned", "payloads that were not", func(f *facts) int64 { return f.scan.notScanned }),
}

var findingVariables = []variable{
	word(ofFinding, "finding.code", "code, as quire explain lists them", func(f *facts) string {
		return f.finding.code
	}),
	word(ofFinding, "finding.severity", "error, warning, info", func(f *facts) string {
		return string(f.finding.severity)
	}),
	whole(ofFinding, "finding.count", "how often, in the container", func(f *facts) int64 { return f.finding.count }),
}

var formatVariables = []variable{
	word(ofFormat, "format.puid", "PRONOM identifier; \"\" when no format fits, or there was nothing to identify",
		func(f *facts) string { return f.format.puid }),
	word(ofFormat, "format.name", "name and version", func(f *facts) string { return f.format.name }),
	word(ofFormat, "format.mime", "first media type that PRONOM has for the format, or \"\"", func(f *facts) string {
		return firstOf(f.format.types)
	}),
	words(ofFormat, "format.mimes", "all of them", func(f *facts) []string { return f.format.types }),
	whole(ofCounts, "format.count", "payloads in this format, in the harvest", func(f *facts) int64 {
		return f.format.count
	}),
	whole(ofCounts, "format.bytes", "their size", func(f *facts) int64 { return f.format.bytes }),
}

var recordVariables = []variable{
	word(ofRecord, "record.type", "response, resource, request, revisit, …", func(f *facts) string {
		return f.record.Type
	}),
	word(ofRecord, "record.id", "WARC-Record-ID; \"\" in an ARC", func(f *facts) string { return f.record.ID }),
	word(ofRecord, "record.uri", "target URI", func(f *facts) string { return f.record.URI }),
	word(ofRecord, "record.host", "its host, in lower case", func(f *facts) string { return f.record.Host }),
	truth(ofRecord, "record.dated", "the date is known", func(f *facts) bool { return !f.record.Date.IsZero() }),
	moment(ofRecord, "record.date", "date of capture", func(f *facts) time.Time { return f.record.Date }),
	year(ofRecord, "record.date", func(f *facts) time.Time { return f.record.Date }),
	whole(ofRecord, "record.status", "HTTP status; 0 where there is none", status),
	word(ofRecord, "record.mime", "media type that the server declared", func(f *facts) string {
		return f.record.DeclaredMIME
	}),
	word(ofRecord, "record.content_type", "of the block, as the record declares it", func(f *facts) string {
		return f.record.ContentType
	}),
	whole(ofRecord, "record.bytes", "size of the payload as stored", func(f *facts) int64 { return f.record.Payload }),
	whole(ofRecord, "record.offset", "of the record in the container as stored", func(f *facts) int64 {
		return f.record.Offset
	}),
	word(ofRecord, "record.truncated", "why the crawler cut it; \"\" where it did not", func(f *facts) string {
		return f.record.Truncated
	}),
	truth(ofRecord, "record.segment", "it is one segment of several", func(f *facts) bool {
		return f.record.Segment != ""
	}),
	truth(ofRecord, "record.sound", "no error was found in it", func(f *facts) bool { return f.record.Sound }),
	truth(ofRecord, "record.digests_fit", "its digests fit, as far as they could be computed again",
		func(f *facts) bool { return f.record.DigestsFit }),
}

// word and its like make variables. What is not known is an error of the expression, never a value.

func word(scopes []Scope, name, meaning string, get func(*facts) string) variable {
	return variable{name: name, kind: isText, meaning: meaning, scopes: scopes, get: func(f *facts) ref.Val {
		return types.String(shown(get(f)))
	}}
}

func whole(scopes []Scope, name, meaning string, get func(*facts) int64) variable {
	return variable{name: name, kind: isNumber, meaning: meaning, scopes: scopes, get: func(f *facts) ref.Val {
		return types.Int(get(f))
	}}
}

func truth(scopes []Scope, name, meaning string, get func(*facts) bool) variable {
	return variable{name: name, kind: isTruth, meaning: meaning, scopes: scopes, get: func(f *facts) ref.Val {
		return types.Bool(get(f))
	}}
}

func moment(scopes []Scope, name, meaning string, get func(*facts) time.Time) variable {
	unknown := notKnown(name)
	return variable{name: name, kind: isTime, meaning: meaning + "; not known of all", scopes: scopes,
		get: func(f *facts) ref.Val {
			if t := get(f); !t.IsZero() {
				return types.Timestamp{Time: t.UTC()}
			}
			return unknown
		}}
}

func year(scopes []Scope, name string, get func(*facts) time.Time) variable {
	unknown := notKnown(name)
	return variable{name: name + ".year", kind: isNumber, meaning: "its year, in UTC", scopes: scopes,
		get: func(f *facts) ref.Val {
			if t := get(f); !t.IsZero() {
				return types.Int(t.UTC().Year())
			}
			return unknown
		}}
}

// maxTexts is how many of a list expressions are shown.
const maxTexts = 200

func words(scopes []Scope, name, meaning string, get func(*facts) []string) variable {
	return variable{name: name, kind: isTexts, meaning: meaning, scopes: scopes, get: func(f *facts) ref.Val {
		list := get(f)
		out := make([]string, min(len(list), maxTexts))
		for i := range out {
			out[i] = shown(list[i])
		}
		return types.NewStringList(types.DefaultTypeAdapter, out)
	}}
}

// ofKnown is for what the METS may not describe: a harvest without a date. Nothing is known of it,
// but that it has none.
func ofKnown(v *variable) func(*facts) ref.Val {
	get, unknown := v.get, notKnown(strings.TrimSuffix(v.name, ".year"))
	if v.kind == isTruth {
		unknown = types.False
	}
	return func(f *facts) ref.Val {
		if f.harvest == nil {
			return unknown
		}
		return get(f)
	}
}

// reading marks a variable for which containers have to be read.
func reading(v variable) variable {
	v.read = true
	return v
}

func notKnown(name string) ref.Val { return types.NewErr("%s is not known", name) }

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func orZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

func received(f *facts) string {
	if f.container.Received != "" {
		return f.container.Received
	}
	return f.container.Read.Format
}

func status(f *facts) int64 {
	n, err := strconv.Atoi(f.record.Status)
	if err != nil {
		return 0
	}
	return int64(n)
}
