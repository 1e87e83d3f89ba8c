package jsonline

import (
	"strings"
	"testing"
	"time"
)

// TestEncode shows each rule: lists, times, omitted fields, embedded structs, other bytes, passwords.
func TestEncode(t *testing.T) {
	type inner struct {
		Path string `json:"path"`
	}
	v := struct {
		inner
		List  []string       `json:"list"`
		At    time.Time      `json:"at"`
		Never *time.Time     `json:"never"`
		Left  string         `json:"left,omitempty"`
		Map   map[string]any `json:"map"`
		URL   string         `json:"url"`
		None  string         `json:"-"`
	}{inner: inner{"caf\xe9"}, At: time.Date(2024, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)),
		Map: map[string]any{"a": []int(nil)}, URL: "http://me:hunter2@a.test/<", None: "x"}
	var out strings.Builder
	if err := Encode(&out, &v); err != nil {
		t.Fatal(err)
	}
	want := `{"path":"caf\ufffd","path_base64":"Y2Fm6Q==","list":[],"at":"2024-01-02T02:04:05Z","never":null,` +
		`"map":{"a":[]},"url":"http://me:…@a.test/<"}` + "\n"
	if out.String() != want {
		t.Errorf("got %s", out.String())
	}
	if m := Members(&v); len(m) != 7 || m[0].Name != "path" {
		t.Errorf("%+v", m)
	}
}
