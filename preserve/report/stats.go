package report

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"quire/model"
)

// By is the criterion of a table.
type By string

// The criteria.
const (
	ByCompleteness By = "completeness" // of harvests in a repository
	ByContainer    By = "container"    // of files, or of a package in a repository
	ByDefinition   By = "definition"   // harvest definition or target, in a repository
	ByFinding      By = "finding"
	ByFormat       By = "format" // identified payload formats
	ByHost         By = "host"
	ByLanguage     By = "language" // of pages and plain texts
	ByMIME         By = "mime"     // declared by the server
	ByOutcome      By = "outcome"  // of the check of a container
	ByStatus       By = "status"
	ByType         By = "type" // of record
	ByYear         By = "year" // of capture
)

// counted lists all criteria.
var counted = []By{ByContainer, ByFinding, ByFormat, ByHost, ByLanguage, ByMIME, ByOutcome, ByStatus, ByType, ByYear}

// Table is a table of counts over containers. The most frequent values are first; years are in
// order of time.
type Table struct {
	By         By    `json:"by"`
	Containers int64 `json:"containers"`
	Rows       []Row `json:"rows"`
	// Other sums the names beyond the limit of separately counted names.
	Other *Row `json:"other,omitempty"`
	// IdentifiedBy names the tool that identified the formats, in a table by format.
	IdentifiedBy string `json:"identified_by,omitempty"`
	// Scope is the part of a repository that was counted; nil for containers.
	Scope *Scope `json:"scope,omitempty"`
}

// Scope is a repository, or a part of it, whose catalogue has the numbers.
type Scope struct {
	Collection string `json:"collection,omitempty"`
	Package    string `json:"package,omitempty"`
	Container  string `json:"container,omitempty"` // of the package
	Harvest    int    `json:"harvest,omitempty"`   // of the package, from 1
	From       int    `json:"from,omitempty"`      // year of the first capture of the containers
	To         int    `json:"to,omitempty"`
	Packages   int64  `json:"packages"`
	Partly     int64  `json:"partly"`           // packages whose METS does not state all numbers
	Uncounted  int64  `json:"uncounted"`        // packages whose numbers are not known
	Values     int64  `json:"values,omitempty"` // distinct names; 0 if they are not all listed
	// Unlisted are the containers whose METS states no languages, in a table by language.
	Unlisted int64 `json:"without_languages,omitempty"`
	// Unidentified are the containers whose formats were not identified, in a table by format.
	Unidentified int64 `json:"unidentified,omitempty"`
}

// Stats counts containers by one criterion. It returns an error if the sequence of containers
// returns an error, or if the criterion is unknown.
func Stats(containers iter.Seq2[*model.Container, error], by By) (*Table, error) {
	if !slices.Contains(counted, by) {
		return nil, fmt.Errorf("containers are counted by one of %q, not by %q", counted, string(by))
	}
	sums, n, identifiedBy := newTally(), int64(0), ""
	for c, err := range containers {
		if err != nil {
			return nil, err
		}
		n++
		identifiedBy = cmp.Or(identifiedBy, c.IdentifiedBy)
		for _, r := range rowsOf(c, by) {
			sums.add(n, r)
		}
	}
	return tableOf(by, n, sums, identifiedBy), nil
}

// tableOf returns a table of the counts in n containers.
func tableOf(by By, n int64, sums *tally, identifiedBy string) *Table {
	t := &Table{By: by, Containers: n, Rows: sums.sorted()}
	if by == ByFormat {
		t.IdentifiedBy = identifiedBy
	}
	if by == ByYear {
		slices.SortFunc(t.Rows, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
	}
	if sums.other.Count > 0 {
		t.Other = &sums.other
		t.Other.Name = "all others"
	}
	return t
}

// rowsOf returns the rows that one container adds to a table.
func rowsOf(c *model.Container, by By) []Row {
	switch by {
	case ByContainer:
		return []Row{{Name: c.Path, Count: c.Records.Total, Bytes: c.Bytes}}
	case ByFormat:
		rows := make([]Row, 0, len(c.Formats))
		for _, f := range c.Formats {
			rows = append(rows, Row{Name: f.Name, Version: f.Version, PUID: f.PUID, Count: f.Count, Bytes: f.Bytes})
		}
		return rows
	case ByFinding:
		rows := []Row{}
		for code, count := range countsOf(c) {
			rows = append(rows, Row{Name: code, Count: count})
		}
		return rows
	case ByOutcome:
		return []Row{{Name: string(c.Outcome), Count: 1, Bytes: c.Bytes}}
	case ByHost:
		return rowsFrom(c.Hosts)
	case ByLanguage:
		return rowsFrom(c.Languages)
	case ByMIME:
		return rowsFrom(c.MIMETypes)
	case ByStatus:
		return rowsFrom(statusNames(c.Responses))
	case ByYear:
		return rowsFrom(c.Years)
	}
	return typesOf(c)
}

func rowsFrom(counts []model.Count) []Row {
	rows := make([]Row, 0, len(counts))
	for _, n := range counts {
		rows = append(rows, Row{Name: n.Name, Count: n.Count, Bytes: n.Bytes})
	}
	return rows
}

// typesOf counts the records by type. The bytes are the bytes of the blocks, if the pass summed
// them.
func typesOf(c *model.Container) []Row {
	rows := make([]Row, 0, len(c.Types))
	for _, t := range c.Types {
		rows = append(rows, Row{Name: t.Type, Count: t.Count, Bytes: t.Bytes})
	}
	if len(rows) == 0 {
		for name, n := range c.Records.ByType {
			rows = append(rows, Row{Name: name, Count: n})
		}
		slices.SortFunc(rows, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
	}
	return rows
}
