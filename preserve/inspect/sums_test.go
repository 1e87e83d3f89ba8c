package inspect

import (
	"strings"
	"testing"
)

// A length that swallowed the records behind it does not count their bytes twice: what was gone back over is theirs.
func TestSwallowedBytesAreCountedOnce(t *testing.T) {
	second := record("metadata", "second block")
	first := strings.Replace(record("resource", "first", target), "Content-Length: 5", "Content-Length: 200", 1)
	c := inspectBytes(t, []byte(warcinfo+first+second), Options{})
	if c.Records.Total != 3 || c.Types[0].Type != "metadata" || c.Types[0].Bytes != int64(len("second block")) {
		t.Fatalf("%+v of %v", c.Types, c.Records)
	}
	if sum := c.Types[1]; sum.Type != "resource" || sum.Bytes > int64(len("first\r\n\r\n")) || c.Hosts[0].Bytes > int64(len("first\r\n\r\n")) {
		t.Errorf("the first record counts %d bytes, its host %d", sum.Bytes, c.Hosts[0].Bytes)
	}
	const line = " 192.0.2.1 20240102030405 text/plain "
	arc := arcOf("1 1 Boat", "") + "http://example.org/a" + line + "150\nab\n" + "http://example.org/b" + line + "3\nabc\n"
	c = inspectBytes(t, []byte(arc), Options{})
	if c.Records.Total != 3 || c.Hosts[0].Bytes > 6 {
		t.Errorf("in an ARC: %v, %+v", c.Records, c.Hosts)
	}
}
