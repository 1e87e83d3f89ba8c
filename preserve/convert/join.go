package convert

import (
	"context"

	"quire/model"
	"quire/preserve/convert/joinsegments"
)

// join joins the segments in the copied WARCs. Segments that make no whole stay, are findings, and make the result
// invalid, because a user wanted them joined.
func (r *run) join(ctx context.Context) error {
	if r.set == nil {
		return nil
	}
	joined, err := r.set.Join(ctx, joinsegments.Options{Software: r.software(), Date: r.o.Date})
	if err != nil {
		return err
	}
	r.result.Bytes += joined.Bytes
	r.result.JoinedTotal = int64(len(joined.Joined))
	r.result.Joined = joined.Joined[:min(len(joined.Joined), MaxListed)]
	for i := range joined.Joined {
		j := &joined.Joined[i]
		line := Account{File: j.File, Role: model.RoleContainer, Action: JoinSegments, Bytes: j.Length, Output: j.File,
			URL: j.URL, Records: []string{j.ID}}
		if err := r.account.add(line); err != nil {
			return err
		}
	}
	for _, f := range joined.Findings {
		r.find(f)
		r.result.Outcome = model.Invalid
	}
	return nil
}
