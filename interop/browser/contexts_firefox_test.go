package browser

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// byFirefox opens the page in Firefox, where these names resolve to this machine.
func byFirefox(t *testing.T, _, url string) {
	f := openFirefox(t, `user_pref("network.dns.localDomains", "`+liveHost+`,replay.example");`)
	f.do(t, "WebDriver:ExecuteScript", map[string]any{"script": "location.href = arguments[0]", "args": []string{url}})
}

// aConnection is optional: Firefox may open a connection before it checks the policy.
const aConnection = "a connection without a request"

// TestContextsFirefox is TestContexts in Firefox, which does not support Connection-Allowlist. The
// requests that leave must be exactly those that docs/reference/550_rewriting.md lists. The test
// also fails for a listed channel that no longer leaves.
func TestContextsFirefox(t *testing.T) {
	for _, w := range ways() {
		listed := exceptions(t, w.name)
		if listed == nil {
			continue
		}
		w.worker = "" // Firefox gives a frame of another site no worker
		t.Run(w.name, func(t *testing.T) {
			ran, left := w.show(t, byFirefox)
			told(t, ran, left, w.sure())
			delete(left, aConnection)
			if got := slices.Sorted(maps.Keys(left)); !slices.Equal(got, listed) {
				t.Errorf("these left:\n%s\ndocs/reference/550_rewriting.md lists:\n%s", strings.Join(got, " "),
					strings.Join(listed, " "))
			}
		})
	}
}

var quotedInMarkdown = regexp.MustCompile("`([^`]+)`")

// exceptions returns the channels that docs/reference/550_rewriting.md lists for a way of showing
// the page in Firefox, in order, or nil.
func exceptions(t *testing.T, way string) (channels []string) {
	t.Helper()
	b, err := os.ReadFile("../../docs/reference/550_rewriting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), "| shown in Firefox |")
	text, _, _ = strings.Cut(text, "\n\n")
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "| "+way+" |"); ok {
			for _, m := range quotedInMarkdown.FindAllStringSubmatch(rest, -1) {
				channels = append(channels, m[1])
			}
		}
	}
	slices.Sort(channels)
	return channels
}
