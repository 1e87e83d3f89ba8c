package cdx

import (
	"strings"
	"testing"
)

// FuzzReader checks that any index is read to its end, that each entry is at its stated place, and
// that classic entries can be written again.
func FuzzReader(f *testing.F) {
	f.Add(" CDX N b a m s k r M S V g\nk 20240708120000 http://e.org/ m 200 d - - 1 2 f\n", "")
	f.Add("http://e.org/ 192.0.2.1 20240708120000 text/html 608 1-1-x.warc 3165 d41d\n", "")
	f.Add("!meta 0 {\"format\":\"cdxj-gzip-1.0\"}\nk {\"offset\":5}\nk 2024 {\"url\":\"u\",\"x\":[{}]}\n", "")
	f.Add("k 20240708120000\tpart\t1\t2\t3\n|CDX|a|b\nx|2024\n", "")
	f.Add("1 2 3\n", "v V b")
	f.Fuzz(func(t *testing.T, index, legend string) {
		r := NewReader(strings.NewReader(index), Options{Legend: legend})
		last := int64(0)
		for e, err := range r.All() {
			if err != nil {
				if legend == "" {
					t.Error(err)
				}
				return
			}
			if e.Line <= last || e.At < 0 || e.At >= int64(len(index)) || e.Length < -1 || e.Offset < -1 ||
				e.Status < 0 {
				t.Errorf("%+v", e)
			}
			last = e.Line
			if e.At > 0 && index[e.At-1] != '\n' {
				t.Errorf("no line begins at %d", e.At)
			}
		}
	})
}
