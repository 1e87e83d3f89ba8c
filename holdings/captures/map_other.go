//go:build !linux

package captures

import "os"

// mapFile returns nil: other systems use ReadAt.
func mapFile(*os.File, int64) []byte { return nil }

func unmapFile([]byte) {}
