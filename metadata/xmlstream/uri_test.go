package xmlstream

import "testing"

func TestIsURI(t *testing.T) {
	for _, s := range goodURIs {
		if !IsURI(s) {
			t.Errorf("%q is refused", s)
		}
	}
	for _, s := range badURIs {
		if IsURI(s) {
			t.Errorf("%q is accepted", s)
		}
	}
}

// TestUsualURIs checks that the quick answer is that of the rules, for texts that differ from a usual
// URI in one or two places.
func TestUsualURIs(t *testing.T) {
	usual := 0
	check := func(s string) {
		if isUsualURI(s) {
			usual++
			if !isAnyURI(s) {
				t.Errorf("%q is usual, and no URI", s)
			}
		}
	}
	places := []string{"", "http", "s", ":", "/", "//", "host", "host:80", ":", "?", "#", "@", "[", "]", "%", "%41",
		" ",
		"a", "\x00", "\u00fc", "123456"}
	for _, start := range []string{"http://", "https://", "http:/", "ftp://"} {
		for _, a := range places {
			for _, b := range places {
				for _, c := range places {
					check(start + a + b + "/x" + c + "?y#" + a)
					check(start + "h" + a + b + c)
				}
			}
		}
	}
	if usual < 1000 || !isUsualURI("https://h.example:8080/a/?b=c&d#e") {
		t.Errorf("%d texts are usual", usual)
	}
}

var goodURIs = []string{
	"", "http://example.org/a?b=c&d#e", "urn:uuid:0f3c2a3e", "data/crawl.warc.gz", "../a", "#x", "?q", "a/b:c",
	"http://example.org/with space", "http://example.org/ü", `http://example.org/{x}|^"<>`,
	"http://[2001:db8::1]:8080/",
	"http://user:pass@example.org:80/", "mailto:a@b", "http://a/%C3%bc", "ark:/99999/fk4hello",
}

var badURIs = []string{
	"http://a/100%", "http://a/%zz", "http://a/%a", "http://a/#x#y", "http://a/[b", "http://a/?q=[]", "http://a/#[",
	"http://[bad",
	"http://[::1", "http://[zz]/", "http://a@b@c/", "http://a:b/", "http://a:999999/", " x", "x\n", "http://a:/",
	"http:", "//", "::", ":x", "1http:x", "a b:c",
}
