package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// The catalogue of a repository is never empty: init writes its schema. SQLite makes a new database
// of an empty file, and a repository would then seem to have no package. So the header is checked
// before SQLite opens the file (https://sqlite.org/fileformat.html, clause 1.3).
const (
	headerSize    = 100
	headerMagic   = "SQLite format 3\x00"
	headerVersion = 60 // offset of PRAGMA user_version, which counts the migrations
	headerPage    = 16 // offset of the page size
)

var errCatalogue = errors.New("it is damaged")

// checkCatalogue returns an error if the file of the catalogue is empty or cut off.
func checkCatalogue(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	info, err := f.Stat()
	if err != nil {
		return err
	}
	header := make([]byte, headerSize)
	if n, err := f.ReadAt(header, 0); n < headerSize {
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		return fmt.Errorf("%w: it has %d bytes", errCatalogue, info.Size())
	}
	page := int64(binary.BigEndian.Uint16(header[headerPage:]))
	if page == 1 {
		page = 1 << 16
	}
	switch {
	case !bytes.HasPrefix(header, []byte(headerMagic)):
		return fmt.Errorf("%w: it is not a database", errCatalogue)
	case binary.BigEndian.Uint32(header[headerVersion:]) == 0:
		return fmt.Errorf("%w: it has no tables", errCatalogue)
	case page == 0 || info.Size()%page != 0:
		return fmt.Errorf("%w: its end is cut off", errCatalogue)
	}
	return nil
}
