package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"quire/internal/sqlite"
)

// Drop removes the index in a folder, and the cached output of tools: the next Open makes the index again,
// from the packages that are left. It keeps the mark of the last answer, and the key of the tokens. The
// error is [ErrInUse] while a server has the index open.
func Drop(dir string) (err error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock, err := lockDir(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return errors.Join(sqlite.Remove(filepath.Join(dir, indexName)), os.RemoveAll(filepath.Join(dir, ToolsDir)))
}

const indexName = "index.db"

// ToolsDir is the folder of the cached output of tools, below that of the index.
const ToolsDir = "tools"
