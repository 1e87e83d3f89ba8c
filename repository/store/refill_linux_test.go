package store

import (
	"maps"
	"testing"
)

// filesOneByOne makes each file system one that syncs file by file.
func filesOneByOne(t *testing.T) {
	t.Helper()
	was := maps.Clone(syncsWhole)
	clear(syncsWhole)
	t.Cleanup(func() { maps.Copy(syncsWhole, was) })
}
