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
	export    bool   // for what descriptions are exported to; packages wrap no such thing
	sha256    string // lower-case hexadecimal; "" where no digest is known
	size      int64  // bytes; 0 where no digest is known
	namespace string // "" of what is only imported
	url       string
	aliases   []string // other URLs under which schemas import it
}

// pinned says whether the digest of the official file is known.
func (o *official) pinned() bool { return o.sha256 != "" }

// parseList reads the list of schemas. It is our own, so that a mistake in it is one of the
// program.
func parseList(text string) ([]official, error) {
	var list []official
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			return nil, fmt.Errorf("%q has %d columns, and not 7", line, len(f))
		}
		o := official{file: f[0], export: f[1] == "export", namespace: strings.TrimPrefix(f[4], "-"), url: f[5]}
		if f[2] != "-" {
			size, err := strconv.ParseInt(f[3], 10, 64)
			if err != nil || len(f[2]) != 64 {
				return nil, fmt.Errorf("%q has no digest and size", line)
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
