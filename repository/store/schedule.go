package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"quire/repository/catalogue"
)

// Schedule says which audits are due when. In text, its entries are separated by commas, and each is
// "full every SPAN" or "sample SHARE every SPAN": "full every 365d, sample 1% every 7d". "none" is a
// schedule without entries.
type Schedule []ScheduleEntry

// ScheduleEntry is one rule of a schedule.
type ScheduleEntry struct {
	Sample Share // of the packages; 0: all of them, in every copy
	Every  Span
}

// noSchedule is the text of an empty schedule.
const noSchedule = "none"

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Schedule) UnmarshalText(text []byte) error {
	all := Schedule{}
	if strings.TrimSpace(string(text)) != noSchedule {
		for part := range strings.SplitSeq(string(text), ",") {
			e, err := parseEntry(strings.Fields(part))
			if err != nil {
				return fmt.Errorf("%q: %w; write, for example, \"full every 365d, sample 1%% every 7d\"",
					strings.TrimSpace(part), err)
			}
			all = append(all, e)
		}
	}
	*s = all
	return nil
}

func parseEntry(words []string) (e ScheduleEntry, err error) {
	wrong := errors.New(`is neither "full every SPAN" nor "sample SHARE every SPAN"`)
	switch {
	case len(words) == 3 && words[0] == "full":
	case len(words) == 4 && words[0] == "sample":
		err = e.Sample.UnmarshalText([]byte(words[1]))
	default:
		return e, wrong
	}
	if words[len(words)-2] != "every" {
		return e, wrong
	}
	return e, errors.Join(err, e.Every.UnmarshalText([]byte(words[len(words)-1])))
}

// MarshalText implements encoding.TextMarshaler.
func (s Schedule) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// String returns the text of the schedule.
func (s Schedule) String() string {
	if len(s) == 0 {
		return noSchedule
	}
	parts := make([]string, 0, len(s))
	for _, e := range s {
		parts = append(parts, e.String())
	}
	return strings.Join(parts, ", ")
}

// String returns the text of the entry.
func (e ScheduleEntry) String() string { return fmt.Sprintf("%s every %s", e.scope(), e.Every) }

func (e ScheduleEntry) scope() string {
	if e.Sample == 0 {
		return string(catalogue.Full)
	}
	return "sample " + e.Sample.String()
}

// Schedule returns the schedule of the repository.
func (s *Store) Schedule() Schedule { return s.rules.AuditSchedule }

// SetSchedule records a schedule in the repository and in each copy, for a rebuild. An error names
// the copies that are missing; then nothing is written.
func (s *Store) SetSchedule(ctx context.Context, schedule Schedule) error {
	if err := errors.Join(s.Writable(), s.allPresent()); err != nil {
		return err
	}
	var rules Rules
	err := s.changeSettings(ctx, "setting the schedule", func(config *repositoryConfig) error {
		config.AuditSchedule = schedule
		rules, s.disk.rules = config.Rules, config.Rules
		for _, c := range s.copies {
			id, err := readIdentity(c.path)
			if err != nil {
				return err
			}
			if err := c.sign(s.id, id.Names); err != nil {
				return fmt.Errorf("copy %s: %w", c.name, err)
			}
		}
		return nil
	}, nil)
	if err == nil {
		s.rules = rules
	}
	return err
}

// DueAudit is an entry of the schedule, with the time at which its audit is due.
type DueAudit struct {
	Entry  string    `json:"entry"`            // as in the schedule
	Sample Share     `json:"sample,omitempty"` // of the packages; "" for all
	Last   time.Time `json:"last"`             // start of the last audit that counts; zero if there was none
	Due    time.Time `json:"due"`
	Is     bool      `json:"is_due"`
	Over   Span      `json:"overdue,omitempty"` // time since it was due
	Resume string    `json:"resume,omitempty"`  // the run to go on with
}

// DueAudits returns the schedule with the times at which its audits are due. An audit counts if it
// read every chosen package in every copy, also in several runs that went on with each other. A full
// audit counts as a sample, too, and so does a larger sample. Before the first audit, the time runs
// from the creation of the repository.
func (s *Store) DueAudits(ctx context.Context) ([]DueAudit, error) {
	runs, err := s.catalogue.Runs(ctx)
	if err != nil {
		return nil, err
	}
	now := s.moment()
	due := []DueAudit{}
	for _, e := range s.rules.AuditSchedule {
		d := DueAudit{Entry: e.String(), Sample: e.Sample}
		for _, r := range runs {
			if e.satisfiedBy(&r) && r.Began.After(d.Last) {
				d.Last = r.Began
			}
		}
		from := d.Last
		if from.IsZero() {
			from = s.created
		}
		d.Due = from.Add(time.Duration(e.Every))
		if d.Is = !now.Before(d.Due); d.Is {
			d.Over = Span(now.Sub(d.Due).Truncate(time.Hour))
			d.Resume = e.resumes(runs, d.Last)
		}
		due = append(due, d)
	}
	return due, nil
}

// satisfiedBy reports whether a run counts for an entry.
func (e ScheduleEntry) satisfiedBy(r *catalogue.Run) bool {
	if r.Ended != catalogue.Complete || !r.Whole {
		return false
	}
	return r.Kind == catalogue.Full || e.Sample > 0 && r.Kind == catalogue.Sample && Share(r.Share) >= e.Sample
}

// resumes returns the run that an audit for an entry goes on with, or "": the newest that ended early,
// if it would count.
func (e ScheduleEntry) resumes(runs []catalogue.Run, last time.Time) string {
	r, ok := openEnd(runs)
	if !ok || !r.Began.After(last) {
		return ""
	}
	r.Ended = catalogue.Complete
	if !e.satisfiedBy(&r) || e.Sample > 0 && r.Kind == catalogue.Full {
		return ""
	}
	return r.Run
}

// Choice returns the options of an audit for the entry.
func (d DueAudit) Choice(o AuditOptions) AuditOptions {
	if o.Resume = d.Resume; o.Resume == "" {
		o.Sample = d.Sample
	}
	return o
}

// AuditDue does the audits that are due now, full ones first, and calls show after each. It does each
// entry of the schedule once. The time of the options is for all of them together.
func (s *Store) AuditDue(ctx context.Context, o AuditOptions, show func(DueAudit, AuditReport) error) error {
	begin := s.now()
	tried := map[string]bool{}
	for {
		d, ok, err := s.nextDue(ctx, tried)
		if err != nil || !ok {
			return err
		}
		tried[d.Entry] = true
		rest := d.Choice(o)
		if o.For > 0 {
			if rest.For -= Span(s.now().Sub(begin)); rest.For <= 0 {
				return nil
			}
		}
		report, err := s.Audit(ctx, nil, rest)
		if err := errors.Join(err, show(d, report)); err != nil {
			return err
		}
	}
}

// nextDue returns a due audit that was not tried, a full one before samples.
func (s *Store) nextDue(ctx context.Context, tried map[string]bool) (next DueAudit, ok bool, err error) {
	all, err := s.DueAudits(ctx)
	for _, d := range all {
		if d.Is && !tried[d.Entry] && (!ok || d.Sample == 0 && next.Sample > 0) {
			next, ok = d, true
		}
	}
	return next, ok, err
}
