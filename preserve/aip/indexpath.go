package aip

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"quire/internal/portable"
)

// indexEnding ends the names of CDXJ indexes.
const indexEnding = ".cdxj.gz"

// IndexOf returns the path of the CDXJ index of a container (clause 2.17). If the name is too long
// for the ending, a digest replaces its end.
func IndexOf(container string) string {
	dir, name := path.Split(strings.TrimPrefix(container, ContainersDir+"/"))
	if len(name)+len(indexEnding) > portable.Longest {
		sum := sha256.Sum256([]byte(name))
		name = strings.ToValidUTF8(name[:portable.Longest-len(indexEnding)-17], "") + "-" + hex.EncodeToString(sum[:8])
	}
	return path.Join(IndexesDir, dir, name+indexEnding)
}
