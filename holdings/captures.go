package holdings

import (
	"context"
	"iter"

	"quire/holdings/captures"
)

// judgedAtOnce is the number of captures decided with one snapshot of rules and clock.
const judgedAtOnce = 1024

// Captures yields the captures of the index, each with the decision for the reader. Closed captures
// are included; captures that are hidden from the reader are not. If there is an error, it is
// yielded last.
func (h *Holdings) Captures(ctx context.Context, who Reader, q captures.Query) iter.Seq2[Judged, error] {
	return func(yield func(Judged, error) bool) {
		if err := h.current(ctx); err != nil {
			yield(Judged{}, err)
			return
		}
		j := h.judging()
		n := 0
		for c, err := range h.index.Captures(ctx, q) {
			if err != nil {
				yield(Judged{}, err)
				return
			}
			if n++; n%judgedAtOnce == 0 {
				j.begin()
			}
			d := j.decide(&who, c)
			if d.Hidden {
				continue
			}
			if !yield(Judged{c, d}, nil) {
				return
			}
		}
	}
}

// Summary returns the content of the index, without a decision on access: for the operators of the
// repository.
func (h *Holdings) Summary(ctx context.Context) (*captures.Summary, error) {
	return h.index.Summary(ctx)
}
