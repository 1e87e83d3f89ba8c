package inspect

import (
	"strings"
	"testing"
)

// A length that swallowed the records behind it does not count their bytes twice: what was gone
// back over is theirs.
func TestSwallowedBytesAreCountedOnce(t *testing.T) {
	// longer than what is handed out before the end of a block is looked for
	long := strings.Repeat("second block", 50_000)
	second := record("metadata", long)
	first := strings.Replace(record("resource", "first", target), "Content-Length: 5", "Content-Length: 700000", 1)
	c := inspectBytes(t, []byte(warcinfo+first+second+
		strings.Replace(second, "urn:uuid:metadata", "urn:uuid:third", 1)), Options{})
	if c.Records.Total != 4 || c.Types[0].Type != "metadata" || c.Types[0].Bytes != int64(2*len(long)) {
		t.Fatalf("%+v of %v", c.Types, c.Records)
	}
	if sum := c.Types[1]; sum.Type != "resource" || sum.Bytes > int64(len("first\r\n\r\n")) ||
		c.Hosts[0].Bytes > int64(len("first\r\n\r\n")) {
		t.Errorf("the first record counts %d bytes, its host %d", sum.Bytes, c.Hosts[0].Bytes)
	}
	const line = " 192.0.2.1 20240102030405 text/plain "
	behind := "http://example.org/b" + line + "600000\n" + long + "\n"
	arc := arcOf("1 1 Boat", "") + "http://example.net/a" + line + "700000\nab\n" + behind + behind
	c = inspectBytes(t, []byte(arc), Options{})
	if c.Records.Total != 4 || len(c.Hosts) != 2 || c.Hosts[1].Name != "example.net" || c.Hosts[1].Bytes > 6 {
		t.Errorf("in an ARC: %v, %+v", c.Records, c.Hosts)
	}
}
