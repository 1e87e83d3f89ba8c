package sandbox

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// TestLimits checks the limits on the program itself.
func TestLimits(t *testing.T) {
	c := sh("cat > /dev/null; ulimit -d; ulimit -t; ulimit -c; ulimit -n")
	c.Limits.Memory = 512 << 20
	var out bytes.Buffer
	if _, err := c.Run(context.Background(), t.TempDir(), strings.NewReader("x"), &out); err != nil ||
		out.String() != "524288\n301\n0\n1024\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
