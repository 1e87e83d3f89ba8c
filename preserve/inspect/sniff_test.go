package inspect

import (
	"strconv"
	"strings"
	"testing"
)

// TestAHeadlessARCWithAWARCInIt checks an ARC without its version block that holds a WARC file as
// content: its name and its first record decide.
func TestAHeadlessARCWithAWARCInIt(t *testing.T) {
	inner := warcinfo + response("HTTP/1.1 200 OK\r\n\r\nx")
	file := "damaged>\n" + arcGood + arcLine + "5\nhello\n" + strings.Replace(arcLine, "a.org", "b.org", 1) +
		strconv.Itoa(len(inner)) + "\n" + inner + "\n"
	for name, want := range map[string]string{"a.arc": "ARC", "a.warc": "WARC", "a": "WARC"} {
		if c := inspectBytes(t, []byte(file), Options{Name: name}); c.Format != want {
			t.Errorf("%s is read as %s, want %s", name, c.Format, want)
		}
	}
	if c := inspectBytes(t, []byte(file), Options{Name: "a.arc"}); c.Records.Total != 3 {
		t.Errorf("%d records, want 3: %v", c.Records.Total, c.Findings)
	}
}
