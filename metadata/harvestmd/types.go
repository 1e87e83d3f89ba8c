package harvestmd

import (
	_ "embed"
	"strings"

	"quire/metadata/xmlstream"
)

// Namespace is the namespace of all elements.
const Namespace = "urn:x-quire:harvest:1"

// Schema is the XML schema of Namespace.
//
//go:embed harvestmd.xsd
var Schema string

// State is the state in which a run of a crawler ended.
type State string

// The states.
const (
	Unknown  State = ""         // no source states it, or the sources disagree
	Finished State = "finished" // the crawler ended by itself, with nothing left to do
	Limited  State = "limited"  // a limit of bytes, documents or time ended it
	Stopped  State = "stopped"  // a person, or a rule such as inactivity, ended it early
	Failed   State = "failed"   // the crawler failed
)

// Part is one part of a description.
type Part interface {
	// Write writes the part as one element.
	Write(x *xmlstream.Writer) error
}

// Fact is a statement of a source.
type Fact struct {
	Name   string // "end reason", "robots policy"; of a limit or a count, the source's own name
	Value  string // as written
	Source string // the place: "field software of the first record of x.warc"; "" if other facts name it
}

// Note returns the fact as one line: "name: value (from source)".
func (f Fact) Note() string {
	if f.Source == "" {
		return f.Name + ": " + f.Value
	}
	return f.Name + ": " + f.Value + " (from " + f.Source + ")"
}

// Named returns a fact with the value "name=value" as a fact of that name. ok is false for other
// values.
func (f Fact) Named() (named Fact, ok bool) {
	name, value, ok := strings.Cut(f.Value, "=")
	return Fact{name, value, f.Source}, ok && name != ""
}

// Run is the run of the crawler: harvest:run.
type Run struct {
	System string // "heritrix", "netarchivesuite"
	ID     string // the name of the run in that system
	State  State
	Facts  []Fact
	Counts []Fact // the crawler's own totals
}

// Definition is the order for the harvest in the system that planned it: harvest:definition.
type Definition struct{ Facts []Fact }

// Settings are the settings of the crawler: harvest:settings.
type Settings struct {
	Facts  []Fact // robots policy, user agent, contact
	Limits []Fact
	Files  []File
}

// File is a configuration of the crawler.
type File struct {
	Name       string // its path in the source
	Restricted bool   // it must not be public
}

// Hosts is a table of hosts: harvest:hosts.
type Hosts struct {
	Source string // the report, or the logs
	Total  int64  // hosts in the source
	Hosts  []Host
}

// Host is the counts of one host. Absent numbers are not in the source.
type Host struct {
	Name                               string // "dns:" means all look-ups
	Documents, Bytes                   xmlstream.Int
	Robots, Remaining                  xmlstream.Int // forbidden by robots.txt; still in the queue
	NovelDocuments, NovelBytes         xmlstream.Int
	DuplicateDocuments, DuplicateBytes xmlstream.Int
	UnmodifiedDocuments                xmlstream.Int
	UnmodifiedBytes                    xmlstream.Int
	End                                string // why its harvest ended: "2 SIZE_LIMIT"; "" if unknown
	Missed                             []Missed
}

// Missed counts URLs without content, for one reason.
type Missed struct {
	Reason string // "robots", "quota"
	Number int64
}

// Types is a table of media types: harvest:mediaTypes.
type Types struct {
	Source string
	Total  int64
	Types  []Type
}

// Type is the counts of one media type, as the crawler names it.
type Type struct {
	Name             string
	Documents, Bytes int64
}

// Statuses is a table of response codes: harvest:statuses. Codes below 100 are the crawler's own.
type Statuses struct {
	Source   string
	Total    int64
	Statuses []Status
}

// Status is the count of one response code.
type Status struct{ Code, Documents int64 }

// Seeds is a table of seeds: harvest:seeds.
type Seeds struct {
	Source string
	Total  int64
	Seeds  []Seed
}

// Seed is the result of one seed.
type Seed struct {
	URL      string
	Code     int64
	Status   string // in the crawler's own word: CRAWLED
	Redirect string // target of its redirect; "" for none
}

// Containers is the crawler's list of containers: harvest:containers.
type Containers struct {
	Source     string
	Total      int64
	Containers []Container
}

// Container is a container in the list.
type Container struct {
	Name    string
	Bytes   xmlstream.Int
	Written string // date in the list, as written; "" if unknown
	Absent  bool   // the package does not have it; only in a comparison
}
