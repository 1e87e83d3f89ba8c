package arc

import (
	"fmt"
	"net/netip"
	"strconv"
)

// Address returns the IP-address as an address.
func (h *Header) Address() (netip.Addr, error) {
	a, err := netip.ParseAddr(h.IP)
	if err != nil {
		return netip.Addr{}, fmt.Errorf("arc: IP-address %s of %s is not an IP address", quote(h.IP), quote(h.URL))
	}
	return a, nil
}

// Status returns the Result-code of version 2 as a number. Records of version 1 have none: ask the
// head of the HTTP message, see [Record.HTTP].
func (h *Header) Status() (int, error) {
	n, err := strconv.Atoi(h.ResultCode)
	if err != nil {
		return 0, fmt.Errorf("arc: Result-code %s of %s is not a number", quote(h.ResultCode), quote(h.URL))
	}
	return n, nil
}
