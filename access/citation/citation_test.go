package citation_test

import (
	"strings"
	"testing"
	"time"

	"quire/access/citation"
)

// TestHostile: no character of an archived title or URL ends its field.
func TestHostile(t *testing.T) {
	t.Parallel()
	c := citation.Capture{URL: `http://a.example/}"><script>`, Title: "}\\input{x}\"><script>\nER  - ", Archive: "A",
		Time: time.Date(2015, 1, 2, 3, 4, 5, 0, time.UTC), Address: `https://archive.example/}"><script>`}
	if got := c.RobustLink(); strings.Contains(got, "<script") || strings.Count(got, `"`) != 8 {
		t.Errorf("link %s", got)
	}
	got := c.BibTeX()
	if strings.Count(got, "{") != strings.Count(got, "}") || strings.Contains(got, `\input`) {
		t.Errorf("BibTeX %s", got)
	}
	if got = c.RIS(); strings.Count(got, "\n") != 7 {
		t.Errorf("RIS %s", got)
	}
	if c.Title = ""; !strings.Contains(c.RIS(), "TI  - http://a.example/") {
		t.Error("without a title, the URL is the title")
	}
	if !strings.Contains(c.PWID(), ":part:") {
		t.Errorf("a file is a part: %s", c.PWID())
	}
}
