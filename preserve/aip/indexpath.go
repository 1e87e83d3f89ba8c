package aip

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"quire/internal/portable"
)

// indexEnding is how the names of capture lines end.
const indexEnding = ".cdxj.gz"

// IndexOf is the path of the capture lines of a container (clause 2.17). Where its name leaves no
// room for an ending, a digest of it stands in for its end.
func IndexOf(container string) string {
	dir, name := path.Split(strings.TrimPrefix(container, ContainersDir+"/"))
	if len(name)+len(indexEnding) > portable.Longest {
		sum := sha256.Sum256([]byte(name))
		name = strings.ToValidUTF8(name[:portable.Longest-len(indexEnding)-17], "") + "-" + hex.EncodeToString(sum[:8])
	}
	return path.Join(IndexesDir, dir, name+indexEnding)
}
