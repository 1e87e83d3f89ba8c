package place

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"

	"github.com/minio/minio-go/v7"
)

// Headers of S3 checksums (API reference, PutObject).
const (
	headerSHA256    = "x-amz-checksum-sha256"
	headerAlgorithm = "x-amz-checksum-algorithm"
)

// metaSHA512 is the name of the metadata with the SHA-512 of a file.
const metaSHA512 = "Quire-Sha512"

// Write implements [Place]. The signature and the checksum state the SHA-256 of the bytes, which the
// service compares. If-None-Match keeps an earlier file.
func (p *S3) Write(ctx context.Context, name string, from io.ReaderAt, c Content) error {
	if err := checkName(name); err != nil {
		return err
	}
	if !p.isExclusive() {
		if _, err := p.Stat(ctx, name); !notThere(err) {
			if err == nil {
				err = p.fault("write", name, fs.ErrExist)
			}
			return err
		}
	}
	if len(c.parts) == 0 {
		return errors.New("place: Content without digests; use Sum")
	}
	if len(c.parts) > 1 {
		return p.fault("write", name, p.putParts(ctx, name, from, c))
	}
	o := p.options(c)
	o.SetMatchETagExcept("*")
	return p.fault("write", name, p.put(ctx, name, io.NewSectionReader(from, 0, c.Size), c, o))
}

// Replace implements [Place].
func (p *S3) Replace(ctx context.Context, name string, text []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	c, err := Sum(ctx, bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return err
	}
	return p.fault("write", name, p.put(ctx, name, bytes.NewReader(text), c, minio.PutObjectOptions{}))
}

// options returns the settings of a new file.
func (p *S3) options(c Content) minio.PutObjectOptions {
	o := minio.PutObjectOptions{}
	if c.Bulk && c.Size >= ColdFrom {
		o.StorageClass = p.settings.StorageClass
	}
	if p.settings.Retention != "" {
		o.Mode, o.RetainUntilDate = minio.RetentionMode(p.settings.Retention), p.settings.until()
	}
	if p.settings.LegalHold {
		o.LegalHold = minio.LegalHoldEnabled
	}
	return o
}

func (p *S3) put(ctx context.Context, name string, from io.Reader, c Content, o minio.PutObjectOptions) error {
	o.DisableContentSha256 = true // no signature for each chunk: the header has the SHA-256 of the whole
	o.UserMetadata = map[string]string{metaSHA512: c.SHA512,
		headerSHA256: base64.StdEncoding.EncodeToString(c.parts[0])}
	_, err := p.core.PutObject(ctx, p.bucket, p.prefix+name, from, c.Size, "", hex.EncodeToString(c.parts[0]), o)
	return err
}

// putParts writes a large file in parts. The file appears when they are joined. The parts of an
// interrupted upload are removed by the next one.
func (p *S3) putParts(ctx context.Context, name string, from io.ReaderAt, c Content) error {
	if err := p.core.RemoveIncompleteUpload(ctx, p.bucket, p.prefix+name); err != nil {
		return fmt.Errorf("removing an interrupted upload: %w", err)
	}
	o := p.options(c)
	o.UserMetadata = map[string]string{headerAlgorithm: "SHA256", metaSHA512: c.SHA512}
	id, err := p.core.NewMultipartUpload(ctx, p.bucket, p.prefix+name, o)
	if err != nil {
		return err
	}
	parts := make([]minio.CompletePart, 0, len(c.parts))
	for i, sum := range c.parts {
		at := int64(i) * c.partSize
		size := min(c.partSize, c.Size-at)
		sent := minio.PutObjectPartOptions{Sha256Hex: hex.EncodeToString(sum), DisableContentSha256: true,
			CustomHeader: http.Header{}}
		text := base64.StdEncoding.EncodeToString(sum)
		sent.CustomHeader.Set(headerSHA256, text)
		part, err := p.core.PutObjectPart(ctx, p.bucket, p.prefix+name, id, i+1, io.NewSectionReader(from, at, size),
			size, sent)
		if err != nil {
			return errors.Join(err, p.abort(ctx, name, id))
		}
		parts = append(parts, minio.CompletePart{PartNumber: i + 1, ETag: part.ETag, ChecksumSHA256: text})
	}
	end := minio.PutObjectOptions{}
	end.SetMatchETagExcept("*")
	if _, err := p.core.CompleteMultipartUpload(ctx, p.bucket, p.prefix+name, id, parts, end); err != nil {
		return errors.Join(err, p.abort(ctx, name, id))
	}
	return nil
}

func (p *S3) abort(ctx context.Context, name, id string) error {
	err := p.core.AbortMultipartUpload(context.WithoutCancel(ctx), p.bucket, p.prefix+name, id)
	if err != nil && minio.ToErrorResponse(err).Code != "NoSuchUpload" {
		return fmt.Errorf("removing the parts: %w", err)
	}
	return nil
}

// checks reports whether the service refuses a file with a wrong SHA-256.
func (p *S3) checks(ctx context.Context) (bool, error) {
	text, other := []byte("some bytes"), []byte("other byte")
	c, err := Sum(ctx, bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return false, err
	}
	const name = ProbePrefix + "wrong"
	if err := p.put(ctx, name, bytes.NewReader(other), c, minio.PutObjectOptions{}); err != nil {
		if minio.ToErrorResponse(err).StatusCode == http.StatusBadRequest {
			return true, nil
		}
		return false, p.fault("write", name, err)
	}
	return false, p.Remove(ctx, name)
}
