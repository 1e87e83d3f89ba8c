package numbers

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"quire/model"
	"quire/preserve/policy"
	"quire/preserve/report"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// Risks are the formats of a repository, or of a part of it, that a policy does not accept, over time.
type Risks struct {
	Policy  string         `json:"policy"`
	SHA512  string         `json:"sha512"` // of the policy file
	Outcome policy.Outcome `json:"outcome"`
	Scope   *report.Scope  `json:"scope"`
	Years   []YearOfRisks  `json:"years"`   // in order; 0 is not known
	Rules   []RuleOfRisks  `json:"rules"`   // the broken ones, those of severity refuse first
	Formats []FormatAtRisk `json:"formats"` // that break a rule, the most frequent first
	// Unjudged is the number of rules on formats that need facts about a harvest, so they were not judged.
	Unjudged int64 `json:"unjudged"`
}

// YearOfRisks is a year of capture: that of the first capture of the containers.
type YearOfRisks struct {
	Year        int   `json:"year"`
	Payloads    int64 `json:"payloads"`
	Bytes       int64 `json:"bytes"`
	AtRisk      int64 `json:"at_risk"` // payloads whose format breaks a rule
	AtRiskBytes int64 `json:"at_risk_bytes"`
}

// RuleOfRisks is a rule that formats break.
type RuleOfRisks struct {
	ID       string          `json:"id"`
	Severity policy.Severity `json:"severity"`
	Message  string          `json:"message"`
	Formats  int64           `json:"formats"`
	Payloads int64           `json:"payloads"`
	Bytes    int64           `json:"bytes"`
}

// FormatAtRisk is a format that breaks rules.
type FormatAtRisk struct {
	report.Row
	First int      `json:"first"` // year; 0 if it is not known
	Last  int      `json:"last"`
	Rules []string `json:"rules"` // their ids
}

// Judge judges the formats by a policy. types returns the media types of a PUID.
func Judge(ctx context.Context, s *store.Store, q Query, p *policy.Policy, types func(puid string) string) (*Risks,
	error) {
	q.By, q.Top = report.ByFormat, 0
	t, err := Table(ctx, s, q)
	if err != nil {
		return nil, err
	}
	years, err := byYear(ctx, s, q)
	if err != nil {
		return nil, err
	}
	r := &Risks{Policy: p.Name, SHA512: p.SHA512, Outcome: policy.Accepted, Scope: t.Scope, Years: []YearOfRisks{},
		Rules: []RuleOfRisks{}, Formats: []FormatAtRisk{}}
	rules, broken := map[string]*RuleOfRisks{}, map[string][]string{}
	for _, row := range t.Rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, unjudged, err := policy.JudgeFormat(p, model.Format{Name: row.Name, Version: row.Version, PUID: row.PUID,
			MIME: types(row.PUID), Count: row.Count, Bytes: row.Bytes})
		if err != nil {
			return nil, err
		}
		r.Unjudged = max(r.Unjudged, unjudged)
		if len(found) == 0 {
			continue
		}
		f := FormatAtRisk{Row: row, Rules: []string{}}
		for i := range found {
			f.Rules = append(f.Rules, found[i].ID)
			r.count(rules, &found[i], &row)
		}
		key := model.FormatKey(row.Name, row.PUID, row.Version)
		broken[key] = f.Rules
		f.First, f.Last = span(years, key)
		r.Formats = append(r.Formats, f)
	}
	r.overTime(years, broken)
	for _, rule := range rules {
		r.Rules = append(r.Rules, *rule)
	}
	slices.SortFunc(r.Rules, func(a, b RuleOfRisks) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(b.Payloads, a.Payloads), cmp.Compare(a.ID, b.ID))
	})
	return r, nil
}

// count counts a format for a rule that it breaks.
func (r *Risks) count(rules map[string]*RuleOfRisks, found *policy.Result, row *report.Row) {
	rule := rules[found.ID]
	if rule == nil {
		rule = &RuleOfRisks{ID: found.ID, Severity: found.Severity, Message: found.Message}
		rules[found.ID] = rule
	}
	rule.Formats++
	rule.Payloads += row.Count
	rule.Bytes += row.Bytes
	switch {
	case found.Severity == policy.Refuse:
		r.Outcome = policy.Refused
	case r.Outcome == policy.Accepted:
		r.Outcome = policy.Warned
	}
}

// overTime sums the formats of each year.
func (r *Risks) overTime(years []catalogue.YearSum, broken map[string][]string) {
	sums := map[int]*YearOfRisks{}
	for _, s := range years {
		y := sums[s.Year]
		if y == nil {
			y = &YearOfRisks{Year: s.Year}
			sums[s.Year] = y
		}
		y.Payloads += s.Count
		y.Bytes += s.Bytes
		if broken[s.Name] != nil {
			y.AtRisk += s.Count
			y.AtRiskBytes += s.Bytes
		}
	}
	for _, year := range slices.Sorted(maps.Keys(sums)) {
		r.Years = append(r.Years, *sums[year])
	}
}

// span returns the first and the last year of a name; 0 if none is known.
func span(years []catalogue.YearSum, name string) (first, last int) {
	for _, s := range years { // in the order of years
		if s.Name == name && s.Year > 0 {
			if first == 0 {
				first = s.Year
			}
			last = s.Year
		}
	}
	return first, last
}

// byYear returns the sums of each year, sorted by year and name.
func byYear(ctx context.Context, s *store.Store, q Query) ([]catalogue.YearSum, error) {
	q.years()
	if q.Package == "" {
		return s.SumsByYear(ctx, catalogue.NumberQuery{Kind: model.NumberKind(q.By), Collection: q.Collection,
			From: q.From, To: q.To})
	}
	numbers, _, err := s.Numbers(ctx, q.Package)
	if err != nil {
		return nil, err
	}
	var all []catalogue.YearSum
	for _, n := range numbers {
		if n.Kind == model.NumberKind(q.By) && q.has(&n) {
			all = append(all, catalogue.YearSum{Year: n.Year, NumberSum: catalogue.NumberSum{Name: n.Name,
				Count: n.Count, Bytes: n.Bytes, Containers: n.Containers, Packages: 1}})
		}
	}
	slices.SortStableFunc(all, func(a, b catalogue.YearSum) int {
		return cmp.Or(cmp.Compare(a.Year, b.Year), cmp.Compare(a.Name, b.Name))
	})
	return all, nil
}
