package identify

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
)

// Siegfried opens ZIP archives, OLE2 compound files and RIFF files to identify their content. Its
// readers trust the file: they allocate the stated lengths, inflate streams, and follow lists to
// any depth. The guard reads the same structures first. A file that would cost too much is
// identified only by its signature.
const (
	maxArchive  = 64 << 20 // size of a ZIP archive; false counts can make its reader allocate a quarter of this size
	maxCompound = 16 << 20 // size of a compound file; its reader may allocate as much again
	maxEntries  = 16 << 10 // entries of a ZIP archive
	// stated inflated size of all entries of a ZIP archive; Go's reader enforces it
	maxInflated = 16 << 20
	maxLists    = 1 << 10 // nested lists of a RIFF file; each level makes every level below slower
)

// danger returns why siegfried must not open the payload, or "".
func danger(p Payload) string {
	switch {
	case bytes.HasPrefix(p.Head, []byte("PK\x03\x04")):
		return dangerOfZIP(p)
	case bytes.HasPrefix(p.Head, []byte{0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1}):
		return dangerOfOLE2(p)
	case bytes.HasPrefix(p.Head, []byte("RIFF")) && bytes.Count(p.Head, []byte("LIST")) > maxLists:
		return "it has too many lists"
	}
	return ""
}

func dangerOfZIP(p Payload) string {
	if p.Size > maxArchive {
		return "the archive is too large"
	}
	z, err := zip.NewReader(&source{Payload: p}, p.Size)
	if err != nil {
		return "" // siegfried cannot read further either
	}
	if len(z.File) > maxEntries {
		return "the archive has too many entries"
	}
	room := uint64(maxInflated)
	for _, f := range z.File {
		if f.UncompressedSize64 > room {
			return "the archive would inflate to too much"
		}
		room -= f.UncompressedSize64
	}
	return ""
}

// dangerOfOLE2 compares the counts of sectors in the header ([MS-CFB] 2.2) with the file size. This
// is necessary because the reader allocates tables by these counts.
func dangerOfOLE2(p Payload) string {
	const (
		sectorShift      = 30
		directorySectors = 40
		fatSectors       = 44
		directoryStart   = 48
		miniFATSectors   = 64
		difatSectors     = 72
		header           = 512
		noSector         = 0xFFFFFFFA // values from here on are marks, not sector numbers
	)
	if p.Size > maxCompound {
		return "the compound file is too large"
	}
	if len(p.Head) < header {
		return "the compound file has no complete header"
	}
	sectorSize := int64(512)
	if binary.LittleEndian.Uint16(p.Head[sectorShift:]) == 12 {
		sectorSize = 4096 // the only other size
	}
	sectors := uint32(p.Size/sectorSize) + 1
	field := func(at int) uint32 { return binary.LittleEndian.Uint32(p.Head[at:]) }
	for _, at := range []int{directorySectors, fatSectors, miniFATSectors, difatSectors} {
		if field(at) > sectors {
			return "the compound file states more sectors than it has"
		}
	}
	if field(directoryStart) >= noSector {
		return "the compound file has no directory"
	}
	return ""
}
