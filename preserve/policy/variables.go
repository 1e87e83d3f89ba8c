package policy

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"quire/model"
)

// kind is the type of a variable, named as in CEL.
type kind string

const (
	isText   kind = "string"
	isNumber kind = "int"
	isTruth  kind = "bool"
	isTime   kind = "timestamp"
	isTexts  kind = "list(string)"
)

// Variable is a variable for expressions.
type Variable struct {
	Name    string  `json:"name"`
	Type    string  `json:"type"`
	Scopes  []Scope `json:"scopes"` // of the rules that may use it
	Meaning string  `json:"meaning"`
}

// variable is a Variable with the source of its value.
type variable struct {
	name    string
	kind    kind
	meaning string
	scopes  []Scope
	read    bool // it requires reading the containers
	tool    int  // from 1: the tool of the policy that states it; 0 for none
	get     func(*facts) ref.Val
}

func (v *variable) family() string {
	family, _, _ := strings.Cut(v.name, ".")
	return family
}

// The scopes of each family of variables.
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

// variables holds all variables by name. It is immutable.
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

// Variables lists the variables for expressions, by name.
func Variables() []Variable {
	all := make([]Variable, 0, len(variables))
	for _, v := range variables {
		all = append(all, Variable{v.name, string(v.kind), v.scopes, v.meaning})
	}
	slices.SortFunc(all, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// facts lists the facts of the policy's tools, by name.
func (v *vocabulary) facts() []Variable {
	all := make([]Variable, 0, len(v.own))
	for _, name := range slices.Sorted(maps.Keys(v.own)) {
		f := v.own[name]
		all = append(all, Variable{f.name, string(f.kind), f.scopes, f.meaning})
	}
	return all
}

// factVariable returns the variable of a fact of the tool with that index.
func (t *Tool) factVariable(tool, fact int) *variable {
	f := &t.Facts[fact]
	name := t.variable(f)
	return &variable{name: name, kind: kind(f.Type), scopes: ofRecord, read: true, tool: tool + 1,
		meaning: "by the tool " + t.Label + ": " + strings.Join(strings.Fields(f.Is), " "),
		get:     func(now *facts) ref.Val { return now.tools[tool].fact(fact).val(kind(f.Type), name) }}
}

// packageVariables are called pkg, because CEL reserves the word package.
var packageVariables = []variable{
	word(ofPackage, "pkg.id", "identifier", func(f *facts) string { return f.pkg.ID }),
	word(ofPackage, "pkg.title", "title", func(f *facts) string { return f.pkg.Title }),
	whole(ofPackage, "pkg.files", "files listed in the METS", func(f *facts) int64 { return f.pkg.Files }),
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
		"crawling system: heritrix, netarchivesuite, web-curator-tool, pandas, httrack, wget, "+
			"browsertrix, wacz, saved-pages, bare-containers, plain-folder",
		func(f *facts) string { return f.harvest.System }),
	word(ofHarvest, "harvest.id", "identifier of the harvest in that "+
		"system", func(f *facts) string { return f.harvest.ID }),
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
	words(ofHarvest, "harvest.robots", "policies for robots.txt, in the crawler's term", func(f *facts) []string {
		return f.harvest.Robots
	}),
	words(ofHarvest, "harvest.seeds", "seeds listed in the METS", func(f *facts) []string { return f.harvest.Seeds }),
	truth(ofHarvest, "harvest.dated", "start and end are known", func(f *facts) bool {
		return !f.harvest.Start.IsZero()
	}),
	moment(ofHarvest, "harvest.start", "start of the run or, if undocumented, the first capture",
		func(f *facts) time.Time { return f.harvest.Start }),
	year(ofHarvest, "harvest.start", func(f *facts) time.Time { return f.harvest.Start }),
	moment(ofHarvest, "harvest.end", "end of the run or, if undocumented, the last capture",
		func(f *facts) time.Time { return f.harvest.End }),
	year(ofHarvest, "harvest.end", func(f *facts) time.Time { return f.harvest.End }),
	whole(ofTotals, "harvest.containers", "containers", func(f *facts) int64 { return f.harvest.containers }),
	reading(whole(ofTotals, "harvest.records", "records in them", func(f *facts) int64 { return f.harvest.records })),
}

var containerVariables = []variable{
	word(ofContainer, "container.path", "path within the package", func(f *facts) string { return f.container.Path }),
	word(ofContainer, "container.received", "format as received: WARC, ARC, mirror; \"\" for other files", received),
	word(ofContainer, "container.format", "format in the package: WARC, ARC; \"\" for other files",
		func(f *facts) string { return f.container.Read.Format }),
	words(ofContainer, "container.versions", "its versions, as stated in records: 1.0, 1.1",
		func(f *facts) []string { return f.container.Read.Versions }),
	word(ofContainer, "container.compression", "none, gzip, gzip-whole (the file in one member), zstd",
		func(f *facts) string { return f.container.Read.Compression }),
	word(ofContainer, "container.outcome", "valid, invalid, not-a-container", func(f *facts) string {
		return string(f.container.Read.Outcome)
	}),
	word(ofContainer, "container.software", "name of the software that wrote the container, from its first "+
		"record", func(f *facts) string {
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
	truth(ofScanned, "scan.asked", "a virus scanner was used, for each container", func(f *facts) bool {
		return f.scan.asked > 0 && f.scan.asked == f.scan.containers
	}),
	word(ofScanned, "scan.outcome", "clean, infected, incomplete, not-scanned; \"\" without a scanner",
		func(f *facts) string { return string(f.scan.outcome) }),
	whole(ofScanned, "scan.scanned", "payloads scanned completely", func(f *facts) int64 {
		return f.scan.scanned
	}),
	whole(ofScanned, "scan.infected", "infected payloads among these", func(f *facts) int64 { return f.scan.infected }),
	whole(ofScanned, "scan.cleaned", "infected payloads among these with a cleaned version", func(f *facts) int64 {
		return f.scan.cleaned
	}),
	whole(ofScanned, "scan.not_scanned", "payloads not scanned "+
		"completely", func(f *facts) int64 { return f.scan.notScanned }),
}

var findingVariables = []variable{
	word(ofFinding, "finding.code", "code, as listed by quire explain", func(f *facts) string {
		return f.finding.code
	}),
	word(ofFinding, "finding.severity", "error, warning, info", func(f *facts) string {
		return string(f.finding.severity)
	}),
	whole(ofFinding, "finding.count", "number in the container", func(f *facts) int64 { return f.finding.count }),
}

var formatVariables = []variable{
	word(ofFormat, "format.puid", "PRONOM identifier; \"\" for an unknown format, or an empty payload",
		func(f *facts) string { return f.format.puid }),
	word(ofFormat, "format.name", "name and version", func(f *facts) string { return f.format.name }),
	word(ofFormat, "format.mime", "first media type of the format in PRONOM, or \"\"", func(f *facts) string {
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
	whole(ofRecord, "record.status", "HTTP status; 0 without one", status),
	word(ofRecord, "record.mime", "media type declared by the server", func(f *facts) string {
		return f.record.DeclaredMIME
	}),
	word(ofRecord, "record.content_type", "of the block, as declared by the record", func(f *facts) string {
		return f.record.ContentType
	}),
	whole(ofRecord, "record.bytes", "size of the payload as stored", func(f *facts) int64 { return f.record.Payload }),
	whole(ofRecord, "record.offset", "of the record in the container as stored", func(f *facts) int64 {
		return f.record.Offset
	}),
	word(ofRecord, "record.truncated", "reason for truncation by the crawler; \"\" if complete", func(f *facts) string {
		return f.record.Truncated
	}),
	truth(ofRecord, "record.segment", "it is one of several segments", func(f *facts) bool {
		return f.record.Segment != ""
	}),
	truth(ofRecord, "record.sound", "it has no errors", func(f *facts) bool { return f.record.Sound }),
	truth(ofRecord, "record.digests_fit", "its digests match, as far as they can be recomputed",
		func(f *facts) bool { return f.record.DigestsFit }),
}

// word and similar functions define variables. An unknown value is an error of the expression,
// never a value.

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
	return variable{name: name, kind: isTime, meaning: meaning + "; sometimes unknown", scopes: scopes,
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

// maxTexts limits the items of a list that expressions see.
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

// ofKnown wraps a variable for harvests that the METS may not describe. Only the absence of a date
// is then known.
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

// reading marks a variable that requires reading containers.
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
