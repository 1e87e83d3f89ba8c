//go:build !linux

package captures

import "os"

// mapFile maps nothing: elsewhere files are read with ReadAt.
func mapFile(*os.File, int64) []byte { return nil }

func unmapFile([]byte) {}
