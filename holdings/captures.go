package holdings

import (
	"context"
	"iter"

	"quire/holdings/captures"
)

// judgedAtOnce is how many captures are judged by the rules and the clock of one moment.
const judgedAtOnce = 1024

// Captures gives what the index has, each with what the reader gets of it: those that he may not have, too, but none that are hidden from
// him. The error is the last thing yielded.
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

// Summary says what is in the index, whoever may have it: for those who run the repository.
func (h *Holdings) Summary(ctx context.Context) (*captures.Summary, error) {
	return h.index.Summary(ctx)
}
