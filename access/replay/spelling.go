package replay

import (
	"iter"

	"quire/access/siterules"
	"quire/holdings"
)

// maxTwins limits the captures of one moment searched for the one with the requested spelling of
// the URL.
const maxTwins = 16

// speltFirst reorders captures: among those of one moment, the requested spelling of the URL comes
// first. Index keys ignore case (format/surt), but servers do not: /Index.html and /index.html are
// two pages. If the first capture already matches, it is returned without delay.
func speltFirst(captures iter.Seq2[holdings.Judged, error], asked string) iter.Seq2[holdings.Judged, error] {
	asked = siterules.Spelt(asked)
	return func(yield func(holdings.Judged, error) bool) {
		var others []holdings.Judged // of one moment, with other spelling
		flush := func() bool {
			for _, j := range others {
				if !yield(j, nil) {
					return false
				}
			}
			others = nil
			return true
		}
		for j, err := range captures {
			switch {
			case err != nil:
				_ = flush() && yield(j, err)
				return
			case len(others) > 0 && (j.Timestamp != others[0].Timestamp || len(others) >= maxTwins):
				if !flush() {
					return
				}
			}
			if siterules.Spelt(j.URL) != asked {
				others = append(others, *kept(j))
			} else if !yield(j, nil) {
				return
			}
		}
		flush()
	}
}
