package antivirus

import (
	"errors"
	"fmt"
	"net"
	"strings"
)

// defaultPort is where clamd listens by TCP unless its configuration says otherwise (clamd.conf(5),
// TCPSocket).
const defaultPort = "3310"

// parseAddress reads the address of a clamd: the path of its local socket, with or without "unix:",
// or HOST[:PORT], with or without "tcp:". What has a slash is a path.
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
		return "", "", errors.New("the address of clamd is empty: give the path of its socket, or HOST:PORT")
	}
	if network == "unix" {
		return network, address, nil
	}
	return parseTCP(address)
}

// parseTCP adds the port where there is none.
func parseTCP(address string) (string, string, error) {
	bare := strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
	if !strings.Contains(address, ":") || net.ParseIP(bare) != nil {
		return "tcp", net.JoinHostPort(bare, defaultPort), nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || host == "" || port == "" {
		return "", "", fmt.Errorf("%.80q is no address of clamd: give the path of its socket, or HOST:PORT", address)
	}
	return "tcp", address, nil
}
