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

// Judge judges the formats by a policy. types returns the media types of a PUID.
func Judge(ctx context.Context, s *store.Store, q Query, p *policy.Policy, types func(puid string) string) (*report.Risks,
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
	r := &report.Risks{Policy: p.Name, SHA512: p.SHA512, Outcome: string(policy.Accepted), Scope: t.Scope, Years: []report.YearOfRisks{},
		Rules: []report.RuleOfRisks{}, Formats: []report.FormatAtRisk{}}
	rules, broken := map[string]*report.RuleOfRisks{}, map[string][]string{}
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
		f := report.FormatAtRisk{Row: row, Rules: []string{}}
		for i := range found {
			f.Rules = append(f.Rules, found[i].ID)
			countRisk(r, rules, &found[i], &row)
		}
		key := model.FormatKey(row.Name, row.PUID, row.Version)
		broken[key] = f.Rules
		f.First, f.Last = span(years, key)
		r.Formats = append(r.Formats, f)
	}
	overTime(r, years, broken)
	for _, rule := range rules {
		r.Rules = append(r.Rules, *rule)
	}
	slices.SortFunc(r.Rules, func(a, b report.RuleOfRisks) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(b.Payloads, a.Payloads), cmp.Compare(a.ID, b.ID))
	})
	return r, nil
}

// countRisk counts a format for a rule that it breaks.
func countRisk(r *report.Risks, rules map[string]*report.RuleOfRisks, found *policy.Result, row *report.Row) {
	rule := rules[found.ID]
	if rule == nil {
		rule = &report.RuleOfRisks{ID: found.ID, Severity: string(found.Severity), Message: found.Message}
		rules[found.ID] = rule
	}
	rule.Formats++
	rule.Payloads += row.Count
	rule.Bytes += row.Bytes
	switch {
	case found.Severity == policy.Refuse:
		r.Outcome = string(policy.Refused)
	case r.Outcome == string(policy.Accepted):
		r.Outcome = string(policy.Warned)
	}
}

// overTime sums the formats of each year.
func overTime(r *report.Risks, years []catalogue.YearSum, broken map[string][]string) {
	sums := map[int]*report.YearOfRisks{}
	for _, s := range years {
		y := sums[s.Year]
		if y == nil {
			y = &report.YearOfRisks{Year: s.Year}
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
