package aip

import (
	"strings"
	"testing"

	"quire/internal/portable"
)

func TestIndexOf(t *testing.T) {
	name := strings.Repeat("é", 119) + "a"
	for container, want := range map[string]string{
		"containers/a.warc.gz": "indexes/a.warc.gz.cdxj.gz", "containers/x/y/a.warc": "indexes/x/y/a.warc.cdxj.gz",
		"elsewhere/a.warc": "indexes/elsewhere/a.warc.cdxj.gz",
	} {
		if got := IndexOf(container); got != want {
			t.Errorf("%s: %s", container, got)
		}
	}
	a, b := IndexOf("containers/x/"+name), IndexOf("containers/x/"+name[:len(name)-1]+"b")
	if a == b || portable.Shorten(a) != a || !strings.HasPrefix(a, "indexes/x/éé") ||
		!strings.HasSuffix(a, indexEnding) || strings.ToValidUTF8(a, "") != a {
		t.Errorf("%q, %q", a, b)
	}
}
