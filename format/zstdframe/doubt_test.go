package zstdframe

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// stored returns a frame with uncompressed content, so that after a cut its last block continues
// into the following bytes.
func stored(t *testing.T, seed int64, size int, checksum bool) []byte {
	t.Helper()
	content := make([]byte, size)
	rand.New(rand.NewSource(seed)).Read(content) //nolint:gosec // the same bytes every time
	return frame(t, string(content), nil, zstd.WithEncoderCRC(checksum))
}

// TestFramesInALongerBlockAreFound checks a stored block that lost bytes and absorbs the frames
// after it. They are still found, and the damage is reported for the frame that lost bytes. Frames
// in a frame's content do not count as frames of the file.
func TestFramesInALongerBlockAreFound(t *testing.T) {
	inner := append(frame(t, "inner one", nil), frame(t, "inner two", nil)...)
	for _, checksum := range []bool{true, false} {
		first := frame(t, "first", nil)
		holder := frame(t, string(bytes.Join([][]byte{noise(2_000), inner, noise(9_000)}, nil)), nil,
			zstd.WithEncoderCRC(checksum))
		for name, behind := range map[string][][]byte{
			"small frames": {stored(t, 2, 40, checksum), stored(t, 3, 50, true), stored(t, 4, 60, checksum)},
			"a frame beyond a look": {stored(t, 5, 30, checksum), stored(t, 6, 700_000, checksum),
				stored(t, 7, 60, checksum)},
			"the last": {stored(t, 8, 300, checksum)},
		} {
			for _, lost := range []int{1, 3, 17, 60, 120, 200} {
				name := fmt.Sprintf("%s, %d bytes lost, checksum %v", name, lost, checksum)
				file := bytes.Join([][]byte{first, holder[:5_000], holder[5_000+lost:]}, nil)
				want := map[int64]bool{}
				for _, b := range behind {
					want[int64(len(file))] = true
					file = append(file, b...)
				}
				frames, faults := readAll(t, file)
				for _, f := range frames {
					if !want[f.offset] && f.offset != 0 && f.offset != int64(len(first)) {
						t.Errorf("%s: a frame is read at %d, where none of the file begins", name, f.offset)
					}
					delete(want, f.offset)
				}
				if len(want) > 0 {
					t.Errorf("%s: not found: %v", name, want)
				}
				if len(faults) != 1 || faults[0] != fmt.Sprintf("%s@%d", FaultFrame, len(first)) &&
					faults[0] != fmt.Sprintf("%s@%d", FaultTruncated, len(first)) {
					t.Errorf("%s: faults %v", name, faults)
				}
			}
		}
	}
}

// TestChecksumThatIsNotAnnounced checks that an undeclared checksum confirms the frame, and that
// other bytes after it do not.
func TestChecksumThatIsNotAnnounced(t *testing.T) {
	first, damaged, last := frame(t, "first", nil), stored(t, 9, 400, true), frame(t, "last", nil)
	damaged[4] &^= checksumFlag
	other := bytes.Clone(damaged)
	binary.LittleEndian.PutUint32(other[len(other)-4:], 7)
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"the right one": {bytes.Join([][]byte{first, damaged, last}, nil),
			fmt.Sprintf("[%s@%d]", FaultFrame, len(first))},
		"the right one, at the end": {append(bytes.Clone(first), damaged...),
			fmt.Sprintf("[%s@%d]", FaultFrame, len(first))},
		"four other bytes": {bytes.Join([][]byte{first, other, last}, nil),
			fmt.Sprintf("[%s@%d]", FaultGarbage, len(first)+len(other)-4)},
	} {
		if _, faults := readAll(t, c.file); fmt.Sprint(faults) != c.want {
			t.Errorf("%s: faults %v, want %s", name, faults, c.want)
		}
	}
}

// TestDoubtIsBounded checks that a file full of doubtful beginnings costs little: following frames
// is bounded, and charged for.
func TestDoubtIsBounded(t *testing.T) {
	start := []byte{0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x00} // a frame without checksum,
	notLast := []byte{0x00, 0x00, 0x00}                 // of empty blocks that do not end
	lure := append(bytes.Clone(start), bytes.Repeat(notLast, 30)...)
	block := bytes.Repeat(lure, maxBlock/len(lure))
	header := []byte{byte(len(block) << 3), byte(len(block) >> 5), byte(len(block) >> 13)}
	var file []byte
	file = append(file, 0x28, 0xB5, 0x2F, 0xFD, 0x84, 0x58, 0, 0, 0, 8) // a window of 2 MiB, larger content than exists
	for range 200 {
		file = append(append(file, header...), block...)
	}
	file = append(file, 0x07, 0, 0) // a block of the reserved type
	frames, faults := readAll(t, file)
	if len(faults) == 0 || len(frames) == 0 {
		t.Errorf("%d frames, faults %v", len(frames), faults)
	}
}
