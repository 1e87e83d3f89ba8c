package schemas

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed official.tsv
var officialList string

// official is one schema at its home page.
type official struct {
	file      string // path in the folder, with slashes
	export    bool   // for export formats; packages do not contain it
	sha256    string // lower-case hexadecimal; "" if unknown
	size      int64  // bytes; 0 if the digest is unknown
	namespace string // "" if it is only imported
	url       string
	aliases   []string // other URLs in imports of it
}

// pinned reports whether the digest of the official file is known.
func (o *official) pinned() bool { return o.sha256 != "" }

// parseList parses the list of schemas. The list is part of Quire, so an error in it is an error of
// the program.
func parseList(text string) ([]official, error) {
	var list []official
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			return nil, fmt.Errorf("%q has %d columns instead of 7", line, len(f))
		}
		o := official{file: f[0], export: f[1] == "export", namespace: strings.TrimPrefix(f[4], "-"), url: f[5]}
		if f[2] != "-" {
			size, err := strconv.ParseInt(f[3], 10, 64)
			if err != nil || len(f[2]) != 64 {
				return nil, fmt.Errorf("%q lacks a digest and size", line)
			}
			o.sha256, o.size = f[2], size
		}
		if f[6] != "-" {
			o.aliases = strings.Fields(f[6])
		}
		list = append(list, o)
	}
	return list, nil
}
