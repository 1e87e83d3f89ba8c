package peers

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// FreeAddress is an address of this machine at which nobody listens, for a server that must be told
// where to. Its port lies below those that the system gives to connections and to who asks for any
// (ip_local_port_range, from 32768 on): until the server has begun, which on a busy machine takes
// seconds, no browser gets it by chance.
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
