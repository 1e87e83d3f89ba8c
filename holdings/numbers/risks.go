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
func Judge(ctx context.Context, s *store.Store, q Query, p *policy.Policy, types func(puid string) string) (
	*report.Risks, error) {
	q.By, q.Top = report.ByFormat, 0
	t, err := Table(ctx, s, q)
	if err != nil {
		return nil, err
	}
	r := &report.Risks{Policy: p.Name, SHA512: p.SHA512, Outcome: string(policy.Accepted), Scope: t.Scope,
		Years: []report.YearOfRisks{}, Rules: []report.RuleOfRisks{}, Formats: []report.FormatAtRisk{}}
	rules := map[string]*report.RuleOfRisks{}
	var broken, sound []string // keys of the formats at risk, and of the others
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
		key := model.FormatKey(row.Name, row.PUID, row.Version)
		if len(found) == 0 {
			sound = append(sound, key)
			continue
		}
		f := report.FormatAtRisk{Row: row, Rules: []string{}}
		for i := range found {
			f.Rules = append(f.Rules, found[i].ID)
			countRisk(r, rules, &found[i], &row)
		}
		broken = append(broken, key)
		r.Formats = append(r.Formats, f)
	}
	h, err := historyOf(ctx, s, q, broken, sound)
	if err != nil {
		return nil, err
	}
	for i, key := range broken {
		span := h.spans[key]
		r.Formats[i].First, r.Formats[i].Last = span.First, span.Last
	}
	r.Years = append(r.Years, h.years()...)
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

// history has the formats of the scope by year.
type history struct {
	all, atRisk []catalogue.YearSum
	spans       map[string]catalogue.Span // of the formats at risk, by key
}

// historyOf returns the sums of each year, those of the formats at risk, and the years of these. The catalogue adds up
// the shorter list of formats.
func historyOf(ctx context.Context, s *store.Store, q Query, atRisk, sound []string) (h history, err error) {
	q.years()
	if q.Package != "" {
		return historyOfPackage(ctx, s, &q, atRisk)
	}
	sums := catalogue.NumberQuery{Kind: model.NumberKind(q.By), Collection: q.Collection, From: q.From, To: q.To}
	if h.all, err = s.TotalsByYear(ctx, sums); err != nil {
		return h, err
	}
	if h.spans, err = s.Spans(ctx, sums, atRisk); err != nil {
		return h, err
	}
	if len(atRisk) <= len(sound) {
		h.atRisk, err = s.NamesByYear(ctx, sums, atRisk)
		return h, err
	}
	others, err := s.NamesByYear(ctx, sums, sound)
	h.atRisk = slices.Clone(h.all)
	for _, o := range others {
		h.atRisk = append(h.atRisk, catalogue.YearSum{Year: o.Year, Count: -o.Count, Bytes: -o.Bytes})
	}
	return h, err
}

// historyOfPackage adds up the numbers of one package.
func historyOfPackage(ctx context.Context, s *store.Store, q *Query, atRisk []string) (h history, err error) {
	numbers, _, err := s.Numbers(ctx, q.Package)
	broken := make(map[string]bool, len(atRisk))
	for _, key := range atRisk {
		broken[key] = true
	}
	h.spans = map[string]catalogue.Span{}
	for _, n := range numbers {
		if n.Kind != model.NumberKind(q.By) || !q.has(&n) {
			continue
		}
		sum := catalogue.YearSum{Year: n.Year, Count: n.Count, Bytes: n.Bytes}
		h.all = append(h.all, sum)
		if !broken[n.Name] {
			continue
		}
		h.atRisk = append(h.atRisk, sum)
		if span := h.spans[n.Name]; n.Year > 0 {
			if span.First == 0 {
				span.First = n.Year
			}
			h.spans[n.Name] = catalogue.Span{First: min(span.First, n.Year), Last: max(span.Last, n.Year)}
		}
	}
	return h, err
}

// years returns the rows of the years, sorted.
func (h *history) years() []report.YearOfRisks {
	sums := map[int]report.YearOfRisks{}
	for _, s := range h.all {
		y := sums[s.Year]
		y.Year, y.Payloads, y.Bytes = s.Year, y.Payloads+s.Count, y.Bytes+s.Bytes
		sums[s.Year] = y
	}
	for _, s := range h.atRisk {
		y := sums[s.Year]
		y.AtRisk, y.AtRiskBytes = y.AtRisk+s.Count, y.AtRiskBytes+s.Bytes
		sums[s.Year] = y
	}
	return slices.SortedFunc(maps.Values(sums), func(a, b report.YearOfRisks) int { return a.Year - b.Year })
}
