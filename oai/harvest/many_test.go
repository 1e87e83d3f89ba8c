package harvest

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

// A record with more resources than fit in memory is stored completely. One with very many is
// stored as its XML, with a finding.
func TestManyResources(t *testing.T) {
	const few = maxQuick + 4
	h := newHostile(2, 10)
	h.spoil = func(_ int, _ url.Values, answer string) string {
		for i, n := range []int{few, maxBodies + 1} {
			var b strings.Builder
			b.WriteString(`<didl:DIDL xmlns:didl="urn:mpeg:mpeg21:2002:02-DIDL-NS"><didl:Item>`)
			for c := range n {
				body := fmt.Sprintf("resource %d", c)
				if i == 0 {
					body = strings.Repeat(body, 10_000)
				}
				fmt.Fprintf(&b,
					`<didl:Component><didl:Resource mimeType="text/plain" encoding="base64">%s</didl:Resource>`+
						`</didl:Component>`, base64.StdEncoding.EncodeToString([]byte(body)))
			}
			b.WriteString("</didl:Item></didl:DIDL>")
			begin := strings.Index(answer, "<metadata>")
			end := strings.Index(answer, "</metadata>")
			answer = answer[:begin] + "<METADATA>" + b.String() + "</METADATA>" + answer[end+len("</metadata>"):]
		}
		return strings.ReplaceAll(answer, "METADATA>", "metadata>")
	}
	out := filepath.Join(t.TempDir(), "out")
	r := mustRun(t, options(h.serve(t), out))
	if r.Counts.Records != 2 || r.Counts.Resources != few || r.Findings[CodeDocument] != 1 {
		t.Errorf("%+v %v", r.Counts, r.First)
	}
	whole := 0
	for _, w := range containersOf(t, out) {
		if strings.HasPrefix(w.block, "resource ") && len(w.block) >= 100_000 {
			whole++
		}
	}
	if whole != few {
		t.Errorf("%d resources are whole", whole)
	}
}
