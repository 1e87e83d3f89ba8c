package antivirus

import (
	"errors"
	"fmt"
	"net"
	"strings"
)

// defaultPort is the TCP port of clamd, unless its configuration sets another (clamd.conf(5),
// TCPSocket).
const defaultPort = "3310"

// parseAddress reads the address of a clamd: the path of its local socket, with or without "unix:",
// or HOST[:PORT], with or without "tcp:". An address with a slash is a path.
func parseAddress(text string) (network, address string, err error) {
	scheme, rest, found := strings.Cut(text, ":")
	switch {
	case found && scheme == "unix":
		network, address = "unix", strings.TrimPrefix(rest, "//")
	case found && scheme == "tcp":
		network, address = "tcp", strings.TrimPrefix(rest, "//")
	case strings.Contains(text, "/"):
		network, address = "unix", text
	default:
		network, address = "tcp", text
	}
	if address == "" {
		return "", "", errors.New("the address of clamd is empty: enter the path of its socket, or HOST:PORT")
	}
	if network == "unix" {
		return network, address, nil
	}
	return parseTCP(address)
}

// parseTCP adds the default port if the address has no port.
func parseTCP(address string) (string, string, error) {
	bare := strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
	if !strings.Contains(address, ":") || net.ParseIP(bare) != nil {
		return "tcp", net.JoinHostPort(bare, defaultPort), nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || host == "" || port == "" {
		return "", "", fmt.Errorf("%.80q is not an address of clamd: enter the path of its socket, or "+
			"HOST:PORT", address)
	}
	return "tcp", address, nil
}
