package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5" //nolint:gosec // the standard asks for it
	"crypto/rc4" //nolint:gosec // likewise
	"encoding/binary"
)

// crypt decrypts a document that opens without a password (7.6). If the document needs a password,
// encrypted facts are left out.
type crypt struct {
	key                []byte
	revision           int64
	strings, streams   string // the method: "V2" (RC4), "AESV2", "AESV3", "Identity"; "" if unknown
	leaveMetadata      bool   // XMP is not encrypted
	userHash, ownerKey []byte
	userKey            []byte
	permissions        int32
	id                 []byte
}

// unlock reads the encryption of the document and finds the key for an empty password.
func (d *document) unlock() {
	encryption := d.dict(d.trailer["Encrypt"])
	if encryption == nil || d.facts.Encryption != nil {
		return
	}
	e := &Encryption{Filter: d.name(encryption["Filter"])}
	e.Version, _ = d.integer(encryption["V"])
	c := &crypt{strings: "V2", streams: "V2"}
	e.Bits = d.numberOr(encryption["Length"], 40)
	c.revision, _ = d.integer(encryption["R"])
	if e.Version >= 4 {
		filters := d.dict(encryption["CF"])
		c.strings, c.streams = d.method(filters, encryption["StrF"]), d.method(filters, encryption["StmF"])
		e.Bits = 128
	}
	if e.Version >= 5 {
		e.Bits = 256
	}
	if e.Version == 1 {
		e.Bits = 40
	}
	all, ok := d.follow(encryption["EncryptMetadata"]).(bool)
	c.leaveMetadata = ok && !all
	c.userHash, c.ownerKey, c.userKey = d.raw(encryption["U"]), d.raw(encryption["O"]), d.raw(encryption["UE"])
	p, _ := d.integer(encryption["P"])
	c.permissions = int32(p) //nolint:gosec // 32 bits, signed or not
	if ids := d.array(d.trailer["ID"]); len(ids) > 0 {
		c.id = d.raw(ids[0])
	}
	if e.Filter == "Standard" && e.Bits >= 40 && e.Bits <= 256 && e.Bits%8 == 0 {
		e.Opens = c.open(int(e.Bits / 8))
	}
	if !e.Opens {
		c.key = nil
	}
	d.facts.Encryption, d.crypt = e, c
}

func (d *document) raw(o any) []byte {
	b, _ := d.follow(o).(text)
	return b
}

// method returns the method of a crypt filter (7.6.6).
func (d *document) method(filters dict, filter any) string {
	switch f := d.name(filter); f {
	case "", "Identity":
		return "Identity"
	default:
		if m := d.name(d.dict(filters[name(f)])["CFM"]); m != "None" {
			return m
		}
		return ""
	}
}

// padding replaces an empty password (7.6.4.3, algorithm 2).
var padding = []byte("\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68" +
	"\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A")

// open computes the key for an empty password and reports whether it is correct.
func (c *crypt) open(length int) bool {
	if c.revision >= 5 {
		return c.open256()
	}
	if len(c.ownerKey) < 32 || len(c.userHash) < 16 || length > 16 {
		return false
	}
	h := md5.New()
	h.Write(padding)
	h.Write(c.ownerKey[:32])
	h.Write(binary.LittleEndian.AppendUint32(nil, uint32(c.permissions))) //nolint:gosec // the same bits
	h.Write(c.id)
	if c.revision >= 4 && c.leaveMetadata {
		h.Write([]byte{0xff, 0xff, 0xff, 0xff})
	}
	key := h.Sum(nil)
	if c.revision < 3 {
		c.key = key[:5]
		return bytes.Equal(withRC4(c.key, padding), c.userHash[:min(32, len(c.userHash))])
	}
	for range 50 {
		sum := md5.Sum(key[:length])
		key = sum[:]
	}
	c.key = key[:length]
	sum := md5.Sum(append(bytes.Clone(padding), c.id...)) // algorithm 5
	check := sum[:]
	for i := range 20 {
		turn := bytes.Clone(c.key)
		for j := range turn {
			turn[j] ^= byte(i)
		}
		check = withRC4(turn, check)
	}
	return bytes.Equal(check, c.userHash[:16])
}

func withRC4(key, b []byte) []byte {
	r, err := rc4.NewCipher(key)
	if err != nil {
		return nil
	}
	out := make([]byte, len(b))
	r.XORKeyStream(out, b)
	return out
}

// decrypt decrypts the strings of an object from the file.
func (c *crypt) decrypt(o any, of ref, depth int) any {
	if depth > maxDepth {
		return nil
	}
	switch o := o.(type) {
	case text:
		return text(c.bytes(o, of, c.strings))
	case array:
		for i := range o {
			o[i] = c.decrypt(o[i], of, depth+1)
		}
	case dict:
		for key := range o {
			o[key] = c.decrypt(o[key], of, depth+1)
		}
	case *stream:
		c.decrypt(o.dict, of, depth+1)
	}
	return o
}

// stream decrypts the bytes of a stream.
func (c *crypt) stream(b []byte, s *stream) []byte {
	kind, _ := s.dict["Type"].(name)
	if c == nil || kind == "XRef" || kind == "Metadata" && c.leaveMetadata {
		return b
	}
	return c.bytes(b, s.number, c.streams)
}

// bytes decrypts with a method; it returns nil if that fails.
func (c *crypt) bytes(b []byte, of ref, method string) []byte {
	switch {
	case method == "Identity":
		return b
	case len(c.key) == 0:
		return nil
	case method == "V2":
		return withRC4(c.objectKey(of, ""), b)
	case method == "AESV2":
		return withAES(c.objectKey(of, "sAlT"), b)
	case method == "AESV3":
		return withAES(c.key, b)
	}
	return nil
}

// objectKey returns the key of one object (7.6.3.2, algorithm 1).
func (c *crypt) objectKey(of ref, salt string) []byte {
	n, g := of.number, of.generation
	b := append(bytes.Clone(c.key), byte(n), byte(n>>8), byte(n>>16), byte(g),
		byte(g>>8)) //nolint:gosec // the low bytes
	sum := md5.Sum(append(b, salt...))
	return sum[:min(len(c.key)+5, len(sum))]
}

// withAES decrypts bytes that begin with their initialization vector, and removes the padding.
func withAES(key, b []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil || len(b) < 2*aes.BlockSize {
		return nil
	}
	body := bytes.Clone(b[aes.BlockSize:])
	body = body[:len(body)/aes.BlockSize*aes.BlockSize]
	cipher.NewCBCDecrypter(block, b[:aes.BlockSize]).CryptBlocks(body, body)
	if n := int(body[len(body)-1]); n >= 1 && n <= aes.BlockSize {
		body = body[:len(body)-n]
	}
	return body
}
