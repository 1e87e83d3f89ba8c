package register

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// ErrNoRegister reports that a folder has no checkpoint.
var ErrNoRegister = errors.New("register: there is no checkpoint")

// Names in the folder of a register.
const (
	checkpointFile = "checkpoint"
	keysFile       = "keys"
	entriesLevel   = -1 // the level of entry bundles, as in tlog
)

// maxBundle is the maximum size in bytes of an entry bundle.
const maxBundle = tileWidth * (2 + maxLeaf)

// folder is one copy of the register on disk.
type folder string

func (f folder) join(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

// tilePath returns the path of a tile in c2sp.org/tlog-tiles: that of tlog without the height.
func tilePath(level int, n int64, width int) string {
	path := strings.TrimPrefix(tlog.Tile{H: tileHeight, L: level, N: n, W: width}.Path(), "tile/8/")
	if rest, ok := strings.CutPrefix(path, "data/"); ok {
		path = "entries/" + rest
	}
	return "tile/" + path
}

// checkpoint reads the checkpoint, without verification.
func (f folder) checkpoint() (Checkpoint, error) {
	text, err := readFile(f.join(checkpointFile), maxCheckpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return Checkpoint{}, fmt.Errorf("%w in %s", ErrNoRegister, string(f))
	}
	if err != nil {
		return Checkpoint{}, err
	}
	c, err := ParseCheckpoint(text)
	if err != nil {
		return c, fmt.Errorf("%s: %w", f.join(checkpointFile), err)
	}
	return c, nil
}

// open reads a tile file, or the full one if the partial one is gone: a writer removes it then, while
// others read.
func (f folder) open(level int, n int64, width int, most int64) (text []byte, name string, err error) {
	name = tilePath(level, n, width)
	text, err = readFile(f.join(name), most)
	if width == tileWidth || !errors.Is(err, fs.ErrNotExist) {
		return text, name, err
	}
	full := tilePath(level, n, tileWidth)
	if text, err := readFile(f.join(full), most); !errors.Is(err, fs.ErrNotExist) {
		return text, full, err
	}
	return nil, name, err
}

// tile reads the hashes of a tile. They are not verified.
func (f folder) tile(level int, n int64, width int) ([]tlog.Hash, string, error) {
	text, name, err := f.open(level, n, width, tileWidth*tlog.HashSize)
	if err != nil {
		return nil, name, err
	}
	exact := name == tilePath(level, n, width)
	if len(text) < width*tlog.HashSize || exact && len(text) > width*tlog.HashSize {
		return nil, name, fmt.Errorf("%s has %d bytes, not %d hashes", f.join(name), len(text), width)
	}
	hashes := make([]tlog.Hash, width)
	for i := range hashes {
		hashes[i] = tlog.Hash(text[i*tlog.HashSize:])
	}
	return hashes, name, nil
}

// bundle reads the entries of a bundle. They are not verified.
func (f folder) bundle(n int64, width int) ([][]byte, string, error) {
	text, name, err := f.open(entriesLevel, n, width, maxBundle)
	if err != nil {
		return nil, name, err
	}
	entries, rest, err := cutBundle(text, width)
	if err == nil && rest > 0 && name == tilePath(entriesLevel, n, width) {
		err = fmt.Errorf("%d bytes follow its %d entries", rest, width)
	}
	if err != nil {
		return nil, name, fmt.Errorf("%s: %w", f.join(name), err)
	}
	return entries, name, nil
}

// cutBundle returns the first entries of a bundle, and the number of bytes behind them. Each entry
// has its length before it, in 16 bits.
func cutBundle(text []byte, width int) (entries [][]byte, rest int, err error) {
	entries = make([][]byte, 0, width)
	for len(text) > 0 && len(entries) < width {
		if len(text) < 2 || len(text)-2 < int(binary.BigEndian.Uint16(text)) {
			return nil, 0, fmt.Errorf("entry %d of the bundle is cut off", len(entries))
		}
		end := 2 + int(binary.BigEndian.Uint16(text))
		entries = append(entries, text[2:end])
		text = text[end:]
	}
	if len(entries) < width {
		return nil, 0, fmt.Errorf("the bundle has %d entries, not %d", len(entries), width)
	}
	return entries, len(text), nil
}

// width returns the number of items in tile n of a level, in a tree of the given size.
func width(level int, n, size int64) int {
	if level > 0 {
		size >>= tileHeight * level
	}
	return int(min(size-n<<tileHeight, tileWidth))
}

// edge reads the right edge of a tree, and requires its root.
func (f folder) edge(tree tlog.Tree) (edge, error) {
	e := edge{size: tree.N}
	for level := 0; tree.N>>(tileHeight*level) > 0; level++ {
		e.levels = append(e.levels, make([]tlog.Hash, 0, tileWidth))
		items := tree.N >> (tileHeight * level)
		if w := int(items % tileWidth); w > 0 {
			hashes, _, err := f.tile(level, items>>tileHeight, w)
			if err != nil {
				return e, err
			}
			e.levels[level] = append(e.levels[level], hashes...)
		}
	}
	if e.root() != tree.Hash {
		return e, fmt.Errorf("%s: the tiles do not add up to the root of the tree of %d leaves", string(f), tree.N)
	}
	return e, nil
}

// tail reads the entries of the last, partial bundle of a tree, and compares them with its hashes.
func (f folder) tail(e edge) ([]byte, error) {
	w := int(e.size % tileWidth)
	if w == 0 {
		return nil, nil
	}
	entries, name, err := f.bundle(e.size>>tileHeight, w)
	if err != nil {
		return nil, err
	}
	var text []byte
	for i, entry := range entries {
		if tlog.RecordHash(entry) != e.levels[0][i] {
			return nil, fmt.Errorf("%s: entry %d differs from its hash in the tree", f.join(name), i)
		}
		text = appendEntry(text, entry)
	}
	return text, nil
}

func appendEntry(b, entry []byte) []byte {
	return append(binary.BigEndian.AppendUint16(b, uint16(len(entry))), entry...)
}

// tiles reads tiles for tlog, which verifies them against the root.
type tiles struct{ folder folder }

// Height implements tlog.TileReader.
func (tiles) Height() int { return tileHeight }

// SaveTiles implements tlog.TileReader.
func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

// ReadTiles implements tlog.TileReader.
func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(wanted))
	for i, tile := range wanted {
		hashes, _, err := t.folder.tile(tile.L, tile.N, tile.W)
		if err != nil {
			return nil, err
		}
		for _, h := range hashes {
			data[i] = append(data[i], h[:]...)
		}
	}
	return data, nil
}

// hashes returns a reader of verified hashes of a tree.
func (f folder) hashes(tree tlog.Tree) tlog.HashReader {
	return tlog.TileHashReader(tree, tiles{f})
}
