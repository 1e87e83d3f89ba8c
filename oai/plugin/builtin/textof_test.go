package builtin

import (
	"strings"
	"testing"
)

const ships = `<html lang=en><title>Ships</title><p>The harbour museum keeps forty old ships at the quay. ` +
	`Tickets for the old ships are sold at the door of the
museum, all year long.</p>`

func TestPhrases(t *testing.T) {
	const want = "harbour museum keeps forty old ships\t"
	got := run(t, "phrases", map[string]string{"output": "text", "words": "6", "phrases": "1"},
		content([]byte(ships), "text/html"))
	if !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 1 {
		t.Errorf("%q", got)
	}
	got = run(t, "phrases", nil, content([]byte(ships), "text/html"))
	for _, part := range []string{`"language": "en"`, `"language_from": "html lang"`, `"phrase": "old ships"`,
		`"count": 1`} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is not in %s", part, got)
		}
	}
}

func TestSummary(t *testing.T) {
	const want = "The harbour museum keeps forty old ships at the quay.\n"
	if got := run(t, "summary", map[string]string{"sentences": "1"}, content([]byte(ships), "text/html")); got != want {
		t.Errorf("%q", got)
	}
	got := run(t, "summary", map[string]string{"output": "json"}, content([]byte(ships), "text/html"))
	if !strings.Contains(got, `"title": "Ships"`) || !strings.Contains(got, "all year long.") {
		t.Errorf("%s", got)
	}
	// The output for a part of a text states its size.
	long := strings.Repeat("The museum keeps its ships at the quay of the old harbour.\n\n", 80_000)
	if got := run(t, "summary", nil, content([]byte(long), "text/plain")); !strings.HasSuffix(got,
		"[of the first 4194304 of 4800000 bytes]\n") {
		t.Errorf("%q", got)
	}
}

// The tool uses the declared charset.
func TestSummaryInACharset(t *testing.T) {
	c := content([]byte("\xf4\xc5\xcb\xd3\xd4 \xd3\xd4\xd2\xc1\xce\xc9\xc3\xd9."), "text/plain")
	c.Charset = "koi8-r"
	if got := run(t, "summary", nil, c); got != "Текст страницы.\n" {
		t.Errorf("%q", got)
	}
}

func TestNoText(t *testing.T) {
	for _, name := range []string{"phrases", "summary"} {
		for s, want := range map[string]string{
			onePixel: "not a web page or a plain text: begins with \"GIF89a",
			"":       "not a web page or a plain text: there are no bytes\n",
		} {
			if got := fails(t, name, content([]byte(s), "text/plain")); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
	if got := fails(t, "phrases", content([]byte("東京タワーは日本の電波塔です。"), "text/plain")); !strings.Contains(got,
		"no spaces between words") {
		t.Errorf("%q", got)
	}
	if _, err := New("x", "summary", map[string]string{"sentences": "many", "size": "1"}); err == nil ||
		err.Error() != "the built-in tool summary: sentences: \"many\" is not a whole number from 1 to 50\n"+
			"unknown parameter \"size\"; there are sentences, bytes, output" {
		t.Error(err)
	}
}
