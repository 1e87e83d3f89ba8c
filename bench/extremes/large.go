package main

import (
	"crypto/sha1"
	"fmt"
	"io"
	"os"

	"quire/format/warc"
)

// fillLarge writes a container of one record with a block of zeros. It extends the file without
// writing the zeros, so the file needs hardly any disk space. The record has both digests, so a
// reader must digest the whole block twice.
func fillLarge(file *os.File, size int64) error {
	sum, err := digestOfZeros(size)
	if err != nil {
		return err
	}
	header, err := fmt.Fprintf(file, "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:bench:one-large>\r\n"+
		"WARC-Date: 2024-01-02T03:04:05Z\r\nWARC-Target-URI: http://example.org/large\r\nContent-Type: "+
		"application/octet-stream\r\n"+
		"WARC-Block-Digest: %[1]s\r\nWARC-Payload-Digest: %[1]s\r\nContent-Length: %[2]d\r\n\r\n", sum, size)
	if err != nil {
		return err
	}
	_, err = file.WriteAt([]byte("\r\n\r\n"), int64(header)+size)
	return err
}

func digestOfZeros(size int64) (string, error) {
	hash := sha1.New()
	if _, err := io.CopyN(hash, zeros{}, size); err != nil {
		return "", err
	}
	return warc.FormatDigest("sha1", hash.Sum(nil)), nil
}

type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
