package policy

import (
	"strings"
	"time"
	"unicode/utf8"

	"quire/model"
)

// Package is what is known of a package as a whole, beside what its containers hold.
type Package struct {
	ID    string
	Title string
	Files int64 // that its METS lists
	Bytes int64 // of these
}

// HarvestFacts is what the METS of a package tells of a harvest: see [HarvestOf].
type HarvestFacts struct {
	System        string // the word of model.System
	ID            string
	Documentation string // the word of model.Documentation
	Software      []string
	Operators     []string
	UserAgents    []string
	Robots        []string // policies, in the crawler's own word
	Seeds         []string // those that the METS lists
	Start, End    time.Time

	sums
}

// ContainerFacts is what is known of a container.
type ContainerFacts struct {
	Harvest  int              // from 1; 0 is none
	Path     string           // within the package
	Bytes    int64            // as stored
	Received string           // "ARC" or "mirror" when it was made of one; "" when it is as received
	Scan     *Scan            // for viruses; nil when nobody was asked
	Read     *model.Container // what the pass wrote down; nil when it was not read
}

// Scan is what came of looking for viruses in a container.
type Scan struct {
	Outcome    model.ScanOutcome
	Scanned    int64 // payloads, to their end
	Infected   int64 // of these
	Cleaned    int64 // of these: what a program made of them is in the package, too
	NotScanned int64
}

// sums counts what the containers of a harvest, or of a package, hold.
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

// scanned sums what came of virus checks.
type scanned struct {
	containers, asked             int64
	outcome                       model.ScanOutcome // "" when nobody was asked
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

// format is a format of payloads, and how often it was met.
type format struct {
	puid, name   string
	types        []string // media types, as PRONOM has them
	count, bytes int64
	first        string // path of the container in which it was met first
}

// typesOf parts the media types of a format.
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

// facts is what the variables of an expression stand for, while it is judged.
type facts struct {
	pkg       *Package
	whole     *sums
	harvest   *HarvestFacts
	container *ContainerFacts
	scan      *scanned
	record    *model.Record
	format    *format
	finding   *finding
}

// maxText is how many bytes of a text expressions are shown, so that what they cost is bounded.
// What a URL has beyond this decides nothing.
const maxText = 4096

// shown gives a text as expressions see it: of bounded length, in UTF-8.
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
