package peers

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// FreeAddress returns an unused address of this machine, for a server that needs a fixed one. Its
// port is below the range of ephemeral ports (ip_local_port_range, from 32768 on). Thus no browser
// connection gets it by chance before the server starts, which on a busy machine takes seconds.
func FreeAddress(t *testing.T) string {
	t.Helper()
	var err error
	for range 100 {
		var l net.Listener
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 16_384+rand.IntN(16_384))); err == nil {
			_ = l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal(err)
	return ""
}
