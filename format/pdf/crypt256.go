package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/sha512"
)

// open256 computes the key of a document with encryption revision 5 or 6 (7.6.4.3.3, algorithm
// 2.A), for an empty password.
func (c *crypt) open256() bool {
	const hash, salt = 32, 8
	if len(c.userHash) < hash+2*salt || len(c.userKey) < hash {
		return false
	}
	if !bytes.Equal(c.hash256(c.userHash[hash:hash+salt]), c.userHash[:hash]) {
		return false
	}
	block, err := aes.NewCipher(c.hash256(c.userHash[hash+salt : hash+2*salt]))
	if err != nil {
		return false
	}
	c.key = make([]byte, hash)
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(c.key, c.userKey[:hash])
	return true
}

// hash256 returns the hash of an empty password with a salt. It is SHA-256; from revision 6 it is
// algorithm 2.B, which ends after at most 287 rounds.
func (c *crypt) hash256(salt []byte) []byte {
	sum := sha256.Sum256(salt)
	k := sum[:]
	if c.revision < 6 {
		return k
	}
	const least, repeated = 64, 64
	for round := 1; ; round++ {
		e := bytes.Repeat(k, repeated)
		block, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(e, e)
		rest := 0
		for _, b := range e[:16] {
			rest += int(b)
		}
		switch rest % 3 {
		case 0:
			sum := sha256.Sum256(e)
			k = sum[:]
		case 1:
			sum := sha512.Sum384(e)
			k = sum[:]
		case 2:
			sum := sha512.Sum512(e)
			k = sum[:]
		}
		if last := int(e[len(e)-1]); round >= least && last <= round-32 {
			return k[:32]
		}
	}
}
