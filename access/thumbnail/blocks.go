package thumbnail

import (
	"encoding/binary"
	"fmt"
)

// maxBlocks limits the strips or tiles of a TIFF: one strip for each row of the tallest picture.
const maxBlocks = maxSide

// The tags of TIFF that say how its pixels are cut into blocks.
const (
	tagWidth       = 256
	tagHeight      = 257
	tagRows        = 278 // of a strip
	tagStripCounts = 279 // bytes of each strip
	tagTileWidth   = 322
	tagTileHeight  = 323
	tagTileCounts  = 325 // bytes of each tile
)

// checkTIFF refuses a TIFF whose blocks cost too much. The decoder keeps the whole file and decodes each block from
// memory, so no read of the source can end it. It may also read the same bytes again for each block.
func checkTIFF(picture []byte) error {
	d, err := readDirectory(picture)
	if err != nil {
		return err
	}
	w, h := d.first(tagWidth), d.first(tagHeight)
	across, counts := uint64(1), tagStripCounts
	blockWidth, blockHeight := w, h
	if tw := d.first(tagTileWidth); tw > 0 {
		blockWidth, blockHeight, counts = tw, max(1, d.first(tagTileHeight)), tagTileCounts
		across = (w + blockWidth - 1) / blockWidth
	} else if rows := d.first(tagRows); rows > 0 && rows < h {
		blockHeight = rows
	}
	down := (h + blockHeight - 1) / max(1, blockHeight)
	n := across * down
	const perPixel = 8 // the decoder bounds a block so, of whatever colours
	if n > maxBlocks || blockWidth > maxDecoded || blockHeight > maxDecoded ||
		blockWidth*blockHeight*perPixel > maxDecoded {
		return fmt.Errorf("%w: a TIFF with %d blocks of %d x %d pixels", ErrNone, n, blockWidth, blockHeight)
	}
	var sum uint64
	for i := range n {
		sum += d.value(counts, i)
	}
	if sum > 2*uint64(len(picture)) { // some writers share equal blocks
		return fmt.Errorf("%w: a TIFF of %d bytes, whose blocks claim %d", ErrNone, len(picture), sum)
	}
	return nil
}

// directory is the first directory of a TIFF.
type directory struct {
	file    []byte
	order   binary.ByteOrder
	entries map[int][]byte // of 12 bytes, by tag
}

// readDirectory reads the entries of the first directory.
func readDirectory(file []byte) (*directory, error) {
	d := &directory{file, binary.LittleEndian, map[int][]byte{}}
	if len(file) > 0 && file[0] == 'M' {
		d.order = binary.BigEndian
	}
	const entry = 12
	head := d.bytes(4, 4)
	if head == nil {
		return nil, fmt.Errorf("%w: a TIFF that is cut off", ErrNone)
	}
	at := uint64(d.order.Uint32(head))
	number := d.bytes(at, 2)
	if number == nil {
		return nil, fmt.Errorf("%w: a TIFF without a directory", ErrNone)
	}
	all := d.bytes(at+2, entry*uint64(d.order.Uint16(number)))
	if all == nil {
		return nil, fmt.Errorf("%w: a TIFF with a directory that is cut off", ErrNone)
	}
	for ; len(all) >= entry; all = all[entry:] {
		d.entries[int(d.order.Uint16(all))] = all[:entry]
	}
	return d, nil
}

// bytes returns a part of the file; nil if it is not in the file.
func (d *directory) bytes(at, n uint64) []byte {
	if at > uint64(len(d.file)) || n > uint64(len(d.file))-at {
		return nil
	}
	return d.file[at : at+n : at+n]
}

// first returns the first value of a tag; 0 if there is none.
func (d *directory) first(tag int) uint64 { return d.value(tag, 0) }

// value returns the value number i of a tag; 0 if there is none. The decoder refuses other types than these three.
func (d *directory) value(tag int, i uint64) uint64 {
	e := d.entries[tag]
	if e == nil {
		return 0
	}
	number := uint64(d.order.Uint32(e[4:]))
	size, known := map[uint16]uint64{1: 1, 3: 2, 4: 4}[d.order.Uint16(e[2:])]
	if !known || i >= number {
		return 0
	}
	v := e[8:]
	if number*size > 4 {
		if v = d.bytes(uint64(d.order.Uint32(v))+i*size, size); v == nil {
			return 0 // the decoder ends there, too
		}
	} else {
		v = v[i*size:]
	}
	switch size {
	case 1:
		return uint64(v[0])
	case 2:
		return uint64(d.order.Uint16(v))
	}
	return uint64(d.order.Uint32(v))
}
