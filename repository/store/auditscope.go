package store

import (
	"fmt"
	"strings"

	"quire/repository/catalogue"
)

// Reasons for the end of an audit run, beside [catalogue.Complete].
const (
	EndedByTime    = "time"    // AuditOptions.For was over
	EndedByStop    = "stopped" // the caller stopped it
	EndedByKill    = "killed"  // its process ended
	EndedByFailure = "failed"  // an error
)

// AuditScope says which part of the repository an audit read.
type AuditScope struct {
	Kind      catalogue.Kind `json:"kind"`
	Sample    Share          `json:"sample,omitempty"`
	Seed      uint64         `json:"seed,omitempty"` // of the sample; the same seed chooses the same packages
	OlderThan Span           `json:"older_than,omitempty"`
	Copies    []string       `json:"copies"`         // those that were read
	Only      []string       `json:"only,omitempty"` // those that were to be read, if not all
	Absent    []string       `json:"absent"`         // those that were to be read, and were missing
	Resumes   string         `json:"resumes"`        // the run that this one went on with, or ""
	Of        int64          `json:"of"`             // packages in the repository
	Chosen    int64          `json:"chosen"`         // packages to read, without those of the run before
	Read      int64          `json:"read"`           // packages read
	Ended     string         `json:"ended"`          // "complete", or the reason for an early end
	Full      bool           `json:"full"`           // every package in every copy was read, also by the runs before
	Rest      bool           `json:"rest,omitempty"` // quire audit --resume can read the rest

	// Before counts the problems that the runs before found, with which this one went on.
	Before int64 `json:"problems_before,omitempty"`
}

// String returns "all" for a full audit, and otherwise the share that was read and why it is not all.
func (s AuditScope) String() string {
	if s.Full && s.Resumes == "" {
		return "all"
	}
	parts := []string{s.rule()}
	if len(s.Absent) > 0 {
		parts = append(parts, "without "+strings.Join(s.Absent, ", "))
	}
	if s.Resumes != "" {
		parts = append(parts, "the rest of run "+s.Resumes)
	}
	if s.Kind != catalogue.Named || s.Ended != catalogue.Complete {
		parts = append(parts, fmt.Sprintf("%d of %d packages", s.Read, s.Of))
	}
	if len(s.Only) > 0 {
		parts = append(parts, "in "+strings.Join(s.Only, " and "))
	}
	switch s.Ended {
	case "", catalogue.Complete:
	case EndedByTime:
		parts = append(parts, "ended by time")
	default:
		parts = append(parts, s.Ended)
	}
	return strings.Join(parts, ", ")
}

// rule returns how the packages were chosen.
func (s AuditScope) rule() string {
	rule := "all"
	switch s.Kind {
	case catalogue.Sample:
		rule = fmt.Sprintf("sample %s with seed %d", s.Sample, s.Seed)
	case catalogue.Aged:
		rule = fmt.Sprintf("older than %s", s.OlderThan)
	case catalogue.Named:
		rule = fmt.Sprint(s.Chosen)
	}
	return rule
}

// scope returns the scope so far.
func (a *audit) scope() AuditScope {
	s := AuditScope{Kind: a.choice.Kind, Sample: a.choice.Share, Seed: a.choice.Seed, OlderThan: a.choice.OlderThan,
		Copies: []string{}, Only: a.choice.Copies, Absent: a.absent, Resumes: a.resumes,
		Before: a.before, Of: a.of, Chosen: a.chosen,
		Read:  a.report.Packages,
		Ended: a.ended}
	for _, c := range a.there {
		s.Copies = append(s.Copies, c.name)
	}
	s.Full = a.choice.Kind == catalogue.Full && a.ended == catalogue.Complete && a.whole
	s.Rest = resumable(s.Kind, s.Ended)
	return s
}

// resumable reports whether another run can go on with a run.
func resumable(kind catalogue.Kind, ended string) bool {
	return kind != catalogue.Named && ended != "" && ended != catalogue.Complete
}
