package parts

import (
	"context"
	"strings"

	"quire/access/address"
	"quire/access/siterules"
	"quire/format/surt"
	"quire/holdings"
	"quire/holdings/captures"
)

func compareURL(a, b *Part) int { return strings.Compare(a.URL, b.URL) }

// maxAlike limits the captures that are compared for one that answers in place of a part.
const maxAlike = 200

// similar looks for a capture of a similar request, which the replay shows in place of a part without
// one. It is the first that compares as similar; the replay may choose another of them.
func (p *Page) similar(ctx context.Context, part *Part) error {
	rules := siterules.Own
	if p.Rules != nil {
		rules = p.Rules
	}
	l := rules().Lookup(siterules.Request{URL: part.URL, Key: surt.Key(part.URL)})
	for _, r := range l.Ranges() {
		looked := 0
		query := captures.Query{URL: r.URL, Match: r.Match, Packages: p.Packages}
		for j, err := range p.Archive.Captures(ctx, p.Reader, query) {
			if err != nil {
				return err
			}
			if looked++; looked > maxAlike {
				break
			}
			request := siterules.Request{URL: j.URL, Key: j.Key, MIME: j.MIME}
			if _, ok := l.Compare(request); !ok || !j.Allowed || j.Status >= 400 {
				continue
			}
			kept := *j.Capture // the query may use its place again
			part.Capture, part.Coherence = &holdings.Judged{Capture: &kept, Decision: j.Decision}, Similar
			at, _ := address.Time(p.Capture.Timestamp)
			when, _ := address.Time(kept.Timestamp)
			part.Offset = when.Sub(at)
			return nil
		}
	}
	return nil
}
