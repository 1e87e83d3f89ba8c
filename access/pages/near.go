package pages

import (
	"quire/access/address"
	"quire/access/near"
)

// nearby are captures near an address without one.
type nearby struct {
	Title    string
	Captures []nearCapture
}

// nearCapture is one of them.
type nearCapture struct {
	link
	When string
}

// near adds the captures near an address without one, and the reason why it was not captured.
func (s *site) near(q *request, r resource, p *versions) error {
	question := near.Question{URL: r.url, Timestamp: q.place.Timestamp, Packages: r.query.Packages}
	last := near.Group("")
	for _, f := range near.Captures(q.Context(), s.h, q.who, question) {
		in := r.in
		if f.Group == near.Elsewhere {
			in = address.All
		}
		if f.Group != last {
			p.Near, last = append(p.Near, nearby{Title: s.words.T(string(f.Group))}), f.Group
		}
		group := &p.Near[len(p.Near)-1]
		group.Captures = append(group.Captures, nearCapture{link{f.URL, s.ui.Banner(in, f.Timestamp, f.URL)},
			s.words.When(f.Timestamp)})
	}
	if s.Missed == nil {
		return nil
	}
	all, err := near.Wanted(q.Context(), s.h, s.Missed, q.who, question)
	for i := range all {
		p.Wanted = append(p.Wanted, s.words.T("near.wanted", s.words.Moment(all[i].Time),
			s.reason(string(all[i].Reason))))
	}
	return err
}
