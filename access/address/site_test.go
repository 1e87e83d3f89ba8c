package address

import (
	"strings"
	"testing"
)

// TestLabel: URLs share a label only if they have the same origin, and both or neither have a
// capability.
func TestLabel(t *testing.T) {
	open, closed := In{Collection: All}, In{Collection: All, Capability: "gQ"}
	for i, same := range [][]string{
		{"http://a.example/", "http://A.example:80/other?x#y", "http://a.example"},
		{"https://a.example/", "https://a.example:443/"},
		{"http://a.example:8080/"},
		{"http://www.a.example/"},
		{"http://www-a.example/"},
		{"http://www--a.example/"},
		{"http://bücher.example/", "http://xn--bcher-kva.example/"},
		{"http://[2001:db8::1]/"},
		{"http://" + strings.Repeat("long-label.", 15) + "example/"},
		{"http://" + strings.Repeat("long-label.", 16) + "example/"},
		{"urn:uuid:1"},
		{""},
	} {
		for _, in := range []In{open, closed} {
			label := Label(in, same[0])
			if !isLabel(label) || strings.Trim(label, "-") != label || strings.Contains(label, "--") {
				t.Errorf("%s: %q is no label of a host", same[0], label)
			}
			for _, other := range same {
				if Label(in, other) != label {
					t.Errorf("%s and %s are of one origin: %s, %s", same[0], other, label, Label(in, other))
				}
			}
			if old, ok := seenLabels[label]; ok {
				t.Errorf("%d and %d share %s", i, old, label)
			}
			seenLabels[label] = i
		}
	}
	if got := Label(open, "https://www.example.org/"); got != "www-example-org-54c744918fc9a1b26845" {
		t.Error(got)
	}
}

var seenLabels = map[string]int{}

func TestServes(t *testing.T) {
	for _, c := range []struct {
		replay Replay
		host   string
		serves bool
	}{
		{"https://*.replay.example", "a.replay.example", true},
		{"https://*.replay.example/r", "A.Replay.example", true},
		{"https://*.replay.example", "replay.example", false},
		{"https://*.replay.example", "a.b.replay.example", false},
		{"https://*.replay.example", "a.replay.example:8000", false},
		{"https://*.replay.example", "evilreplay.example", false},
		{"https://*.replay.example", ".replay.example", false},
		{"https://*.replay.example", "a'.replay.example", false},
		{"http://*.localhost:8000", "a.localhost:8000", true},
		{"https://replay.example", "replay.example", true},
		{"https://replay.example", "a.replay.example", false},
		{"", "", false},
	} {
		if c.replay.Serves(c.host) != c.serves {
			t.Errorf("%+v", c)
		}
	}
	for base, sound := range map[string]bool{
		"https://*.replay.example": true, "https://replay.example": true, "http://*.localhost:8000": true,
		"https://*":  false,
		"https://*.": false, "https://a.*.example": false, "https://*a.example": false, "https://*.*.example": false,
		"https://*.192.0.2.1": false,
	} {
		if Sound(base) != sound {
			t.Errorf("%s: %t", base, !sound)
		}
	}
	const in = Replay("https://*.replay.example/r")
	if got := in.CDX(In{Collection: All}); got != "https://any.replay.example/r/all/cdx" {
		t.Error(got)
	}
	if got := in.TimeMap(In{Collection: All}, "link", "", "urn:x"); !strings.HasPrefix(got, "https://h-") {
		t.Error(got)
	}
}
