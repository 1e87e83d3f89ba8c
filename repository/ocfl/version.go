package ocfl

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// specOfType returns the OCFL version in an inventory's type: "1.0", "1.1", or "".
func specOfType(inventoryType string) string {
	switch inventoryType {
	case "https://ocfl.io/1.0/spec/#inventory":
		return "1.0"
	case InventoryType:
		return "1.1"
	}
	return ""
}

// versionName is the parsed name of a version: v3 is number 3; v0003 is number 3, padded to 4
// digits (clause 3.3).
type versionName struct {
	number int
	padded bool
	digits int
}

// parseVersionName reads "v" and a positive integer. Numbers above a billion are invalid.
func parseVersionName(s string) (v versionName, ok bool) {
	digits, ok := strings.CutPrefix(s, "v")
	if !ok || digits == "" || len(digits) > 9 {
		return v, false
	}
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return v, false
		}
	}
	n, err := strconv.Atoi(digits)
	return versionName{number: n, padded: digits[0] == '0', digits: len(digits)}, err == nil && n > 0
}

// sortVersions sorts names by number, with invalid names last.
func sortVersions(names []string) []string {
	slices.SortFunc(names, func(a, b string) int {
		va, oka := parseVersionName(a)
		vb, okb := parseVersionName(b)
		switch {
		case oka && okb:
			return cmp.Or(cmp.Compare(va.number, vb.number), cmp.Compare(a, b))
		case oka:
			return -1
		case okb:
			return 1
		}
		return cmp.Compare(a, b)
	})
	return names
}
