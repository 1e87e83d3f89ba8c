package policy

import (
	"strings"
	"time"
	"unicode/utf8"

	"quire/model"
)

// Package holds the facts about a whole package, apart from the content of its containers.
type Package struct {
	ID    string
	Title string
	Files int64 // listed in its METS
	Bytes int64 // of these files
}

// HarvestFacts holds the facts about a harvest in the METS of a package: see [HarvestOf].
type HarvestFacts struct {
	System        string // value of model.System
	ID            string
	Documentation string // value of model.Documentation
	Software      []string
	Operators     []string
	UserAgents    []string
	Robots        []string // policies, in the crawler's term
	Seeds         []string // listed in the METS
	Start, End    time.Time

	sums
}

// ContainerFacts holds the facts about a container.
type ContainerFacts struct {
	Harvest  int              // from 1; 0 means none
	Path     string           // within the package
	Bytes    int64            // as stored
	Received string           // "ARC" or "mirror" if converted from one; "" if unchanged
	Scan     *Scan            // virus check; nil without a scanner
	Read     *model.Container // results of the pass; nil if not read
}

// Scan is the result of the virus check of a container.
type Scan struct {
	Outcome    model.ScanOutcome
	Scanned    int64 // payloads, completely
	Infected   int64 // of the scanned
	Cleaned    int64 // of the infected: a cleaned version is in the package, too
	NotScanned int64
}

// sums counts the content of the containers of a harvest or package.
type sums struct {
	containers, records int64
	first, last         time.Time
	scan                scanned
}

func (s *sums) add(c *ContainerFacts) {
	s.containers++
	s.scan.add(c.Scan)
	if c.Read == nil {
		return
	}
	s.records += c.Read.Records.Total
	if t := c.Read.First; t != nil && (s.first.IsZero() || t.Before(s.first)) {
		s.first = *t
	}
	if t := c.Read.Last; t != nil && t.After(s.last) {
		s.last = *t
	}
}

// scanned sums up virus checks.
type scanned struct {
	containers, asked             int64
	outcome                       model.ScanOutcome // "" without a scanner
	scanned, infected, notScanned int64
	cleaned                       int64
}

func (s *scanned) add(one *Scan) {
	s.containers++
	if one == nil {
		if s.asked > 0 && s.outcome == model.ScanClean {
			s.outcome = model.ScanIncomplete
		}
		return
	}
	s.asked++
	s.scanned, s.infected, s.notScanned = s.scanned+one.Scanned, s.infected+one.Infected, s.notScanned+one.NotScanned
	s.cleaned += one.Cleaned
	switch {
	case s.infected > 0:
		s.outcome = model.ScanInfected
	case s.containers == 1:
		s.outcome = one.Outcome
	case s.outcome != one.Outcome:
		s.outcome = model.ScanIncomplete
	}
}

// format is a payload format, with its frequency.
type format struct {
	puid, name   string
	types        []string // media types in PRONOM
	count, bytes int64
	first        string // path of the first container with it
}

// typesOf splits the media types of a format.
func typesOf(mime string) []string {
	if mime == "" {
		return nil
	}
	return strings.Split(mime, ", ")
}

// finding is a kind of finding in a container.
type finding struct {
	code     string
	severity model.Severity
	count    int64
}

// facts holds the values of variables while an expression is judged.
type facts struct {
	pkg       *Package
	whole     *sums
	harvest   *HarvestFacts
	container *ContainerFacts
	scan      *scanned
	record    *model.Record
	format    *format
	finding   *finding
	stored    *Stored           // of a selection
	tools     map[int]toolFacts // by the index of the tool, if a rule uses them
}

// maxText limits the bytes of a text that expressions see, to limit their cost. The rest of a
// longer URL has no effect.
const maxText = 4096

// shown returns a text in the form for expressions: of limited length, in UTF-8.
func shown(s string) string {
	if len(s) > maxText {
		end := maxText
		for end > maxText-utf8.UTFMax && !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
