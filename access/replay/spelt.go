package replay

import (
	"iter"
	"strings"

	"quire/holdings"
)

// maxTwins is how many captures of one moment are looked through for the one whose URL is written
// as the reader has it.
const maxTwins = 16

// speltFirst gives captures as they come, but of those of one moment the ones first whose URL is
// written as the reader's. The key under which captures are found knows no case (format/surt), and
// servers do: /Index.html and /index.html are two pages. Nothing is waited for where the first that
// comes is the one.
func speltFirst(captures iter.Seq2[holdings.Judged, error], asked string) iter.Seq2[holdings.Judged, error] {
	asked = spelt(asked)
	return func(yield func(holdings.Judged, error) bool) {
		var others []holdings.Judged // of one moment, spelt otherwise
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
			if spelt(j.URL) != asked {
				others = append(others, *kept(j))
			} else if !yield(j, nil) {
				return
			}
		}
		flush()
	}
}

// spelt is a URL without what captures of one page differ in: the scheme, www, a default port, the
// case of the host.
func spelt(url string) string {
	url, _, _ = strings.Cut(url, "#")
	if scheme, rest, ok := strings.Cut(url, "://"); ok && len(scheme) <= len("https") {
		url = rest
	}
	host, path, _ := strings.Cut(url, "/")
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	host = strings.TrimSuffix(strings.TrimSuffix(host, ":80"), ":443")
	return host + "/" + path
}
