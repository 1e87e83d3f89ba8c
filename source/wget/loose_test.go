package wget

import (
	"slices"
	"testing"
)

func TestALogThatLiesAlone(t *testing.T) {
	const log = "--2026-11-22 15:27:44--  http://a.test/\nHTTP request sent, awaiting response... 200 OK\nLength: 37 " +
		"[text/html]\nSaving to: ‘a.test/index.html’\n\n2026-11-22 15:27:45 (1 KB/s) - ‘a.test/index.html’ saved " +
		"[37/37]\n\n" +
		"--2026-11-22 15:27:45--  http://a.test/x\nHTTP request sent, awaiting response... 404 Not Found\n2026-11-22 " +
		"15:27:45 ERROR 404: Not Found.\n\n"
	claims, err := Loose{}.Find(t.Context(),
		folder(t, map[string]string{"x/kept.log": log, "x/other.log": "nothing of Wget's\n", "x/a.html": "<p>"}))
	if err != nil || len(claims) != 1 || claims[0].Root != "x" ||
		!slices.Equal(claims[0].Files, []string{"x/kept.log"}) {
		t.Fatalf("%+v, %v", claims, err)
	}
	h, err := claims[0].Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for f, err := range h.Fetches(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, f.URI)
	}
	if h.About().ID != "kept.log" || !slices.Equal(got, []string{"http://a.test/", "http://a.test/x"}) {
		t.Errorf("%s: %q", h.About().ID, got)
	}
}
