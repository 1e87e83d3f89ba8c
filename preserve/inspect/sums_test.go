package inspect

import (
	"strings"
	"testing"
)

// If a wrong length covers the following records, their bytes are not counted twice: the bytes read
// again belong to them.
func TestSwallowedBytesAreCountedOnce(t *testing.T) {
	// Longer than the bytes delivered before the search for the end of a block.
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
