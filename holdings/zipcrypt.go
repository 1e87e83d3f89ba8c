package holdings

import (
	"archive/zip"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// encrypted adds a file to a ZIP under [QuarantinePassword]. Its CRC32 and size are known. The
// encryption is the traditional one (PKWARE, APPNOTE 6.3.10, 6.1), which every ZIP program
// supports; it is weak, but sufficient, because it protects no secret.
func encrypted(z *zip.Writer, f *zip.FileHeader, body io.Reader) error {
	const header = 12
	f.Flags |= 1
	f.CompressedSize64 = f.UncompressedSize64 + header
	f.ModifiedTime, f.ModifiedDate = dosTime(f) //nolint:staticcheck // CreateRaw writes these, and not Modified
	raw, err := z.CreateRaw(f)
	if err != nil {
		return err
	}
	k := newKeys(QuarantinePassword)
	begin := make([]byte, header)
	if _, err := rand.Read(begin); err != nil {
		return err
	}
	begin[header-1] = byte(f.CRC32 >> 24) // lets programs check the password
	out := &encrypter{w: raw, k: k}
	if _, err := out.Write(begin); err != nil {
		return err
	}
	n, err := io.Copy(out, body)
	if err == nil && uint64(n) != f.UncompressedSize64 {
		err = errors.New("its length has just changed")
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", f.Name, err)
	}
	return nil
}

// dosTime returns the time of the file in the form for CreateRaw.
func dosTime(f *zip.FileHeader) (clock, day uint16) {
	t := f.Modified.UTC()
	return uint16(t.Hour()<<11 | t.Minute()<<5 | t.Second()/2), uint16((t.Year()-1980)<<9 | int(t.Month())<<5 | t.Day())
}

// encrypter encrypts its input.
type encrypter struct {
	w   io.Writer
	k   *keys
	buf [4 << 10]byte
}

func (e *encrypter) Write(p []byte) (done int, err error) {
	for done < len(p) {
		n := copy(e.buf[:], p[done:])
		for i := range n {
			e.buf[i] = e.k.encrypt(e.buf[i])
		}
		if _, err := e.w.Write(e.buf[:n]); err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

// keys is the state of the cipher.
type keys [3]uint32

func newKeys(password string) *keys {
	k := &keys{0x12345678, 0x23456789, 0x34567890}
	for i := range len(password) {
		k.update(password[i])
	}
	return k
}

func (k *keys) update(plain byte) {
	k[0] = crcByte(k[0], plain)
	k[1] = (k[1]+k[0]&0xff)*134775813 + 1
	k[2] = crcByte(k[2], byte(k[1]>>24))
}

func crcByte(crc uint32, b byte) uint32 { return crc32.IEEETable[byte(crc)^b] ^ crc>>8 }

// encrypt encrypts one byte.
func (k *keys) encrypt(plain byte) byte {
	t := k[2] | 2
	out := plain ^ byte(t*(t^1)>>8)
	k.update(plain)
	return out
}
