package place

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// tries is the number of attempts for a request that fails for a passing reason.
const tries = 4

// S3 is a place in a bucket of an S3 service, below a prefix.
type S3 struct {
	bucket   string
	prefix   string // "" or with a slash at the end
	settings Settings
	core     minio.Core

	mu sync.Mutex
	// exclusive is known after a probe. Before, each write looks first.
	exclusive bool
}

// NewS3 returns the place below a prefix in a bucket, which may be "". It does not use the network.
func NewS3(bucket, prefix string, s Settings) (*S3, error) {
	if err := s.complete(); err != nil {
		return nil, err
	}
	u, err := url.Parse(s.Endpoint)
	if err != nil {
		return nil, err
	}
	o := minio.Options{Creds: credentials.NewStaticV4(s.AccessKey, s.SecretKey, s.Token), Secure: u.Scheme == "https",
		Region: s.Region, BucketLookup: minio.BucketLookupDNS, MaxRetries: tries}
	if s.PathStyle {
		o.BucketLookup = minio.BucketLookupPath
	}
	client, err := minio.New(u.Host, &o)
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", bucket, err)
	}
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		prefix += "/"
	}
	client.SetAppInfo("quire", "1")
	return &S3{bucket: bucket, prefix: prefix, settings: s, core: minio.Core{Client: client}}, nil
}

// URL implements [Place].
func (p *S3) URL() string { return strings.TrimSuffix(s3Scheme+p.bucket+"/"+p.prefix, "/") }

// fault returns an error with the file, and with fs.ErrNotExist or fs.ErrExist where S3 says so.
func (p *S3) fault(op, name string, err error) error {
	if err == nil {
		return nil
	}
	answer := minio.ToErrorResponse(err)
	switch {
	case answer.Code == minio.NoSuchKey, answer.StatusCode == http.StatusNotFound && answer.Code != minio.NoSuchBucket:
		err = fs.ErrNotExist
	case answer.Code == minio.PreconditionFailed, answer.StatusCode == http.StatusPreconditionFailed:
		err = fs.ErrExist
	}
	return &fs.PathError{Op: op, Path: p.URL() + "/" + name, Err: err}
}

// List implements [Place].
func (p *S3) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		for o := range p.core.ListObjectsIter(ctx, p.bucket, minio.ListObjectsOptions{Prefix: p.prefix + prefix,
			Recursive: true}) {
			if o.Err != nil {
				yield(Entry{}, p.fault("list", prefix, o.Err))
				return
			}
			e := Entry{Name: strings.TrimPrefix(o.Key, p.prefix), Size: o.Size, Modified: o.LastModified, Tag: o.ETag,
				Cold: isCold(o.StorageClass)}
			if strings.HasSuffix(e.Name, "/") {
				continue // some tools make such files in place of folders
			}
			if !yield(e, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(Entry{}, err)
		}
	}
}

// isCold reports whether files of a storage class must be restored before they can be read.
func isCold(class string) bool { return class == "GLACIER" || class == "DEEP_ARCHIVE" }

// Stat implements [Place].
func (p *S3) Stat(ctx context.Context, name string) (Entry, error) {
	if err := checkName(name); err != nil {
		return Entry{}, err
	}
	o, err := p.core.StatObject(ctx, p.bucket, p.prefix+name, minio.StatObjectOptions{Checksum: true})
	if err != nil {
		return Entry{}, p.fault("stat", name, err)
	}
	e := Entry{Name: name, Size: o.Size, Modified: o.LastModified, Tag: o.ETag, Checksum: o.ChecksumSHA256,
		SHA512: o.Headers.Get("X-Amz-Meta-" + metaSHA512)}
	if isCold(o.Headers.Get("X-Amz-Storage-Class")) {
		e.Cold = o.Restore == nil || o.Restore.OngoingRestore
		e.Restoring = o.Restore != nil && o.Restore.OngoingRestore
	}
	return e, nil
}

// Open implements [Place]. It requests the restore of a cold file, unless the context is of [KeepCold].
func (p *S3) Open(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	o := minio.GetObjectOptions{}
	if offset > 0 {
		if err := o.SetRange(offset, 0); err != nil {
			return nil, err
		}
	}
	body, _, _, err := p.core.GetObject(ctx, p.bucket, p.prefix+name, o)
	switch answer := minio.ToErrorResponse(err); {
	case err == nil:
		return body, nil
	case answer.Code == "InvalidObjectState":
		return nil, p.restore(ctx, name)
	case answer.Code == "InvalidRange" && offset > 0:
		return io.NopCloser(bytes.NewReader(nil)), nil // from the end on there is nothing
	}
	return nil, p.fault("open", name, err)
}

// restore requests the restore of a cold file, and returns a [*ColdError].
func (p *S3) restore(ctx context.Context, name string) error {
	cold := &ColdError{Name: name, Class: p.settings.StorageClass}
	if e, err := p.Stat(ctx, name); err != nil {
		return err
	} else if e.Restoring {
		cold.Asked = true
		return cold
	}
	if ctx.Value(keepCold{}) != nil {
		return cold
	}
	var r minio.RestoreRequest
	r.SetDays(p.settings.RestoreDays)
	r.SetGlacierJobParameters(minio.GlacierJobParameters{Tier: minio.TierType(p.settings.RestoreTier)})
	err := p.core.RestoreObject(ctx, p.bucket, p.prefix+name, "", r)
	if err != nil && minio.ToErrorResponse(err).Code != "RestoreAlreadyInProgress" {
		return errors.Join(cold, p.fault("restore", name, err))
	}
	cold.Asked = true
	return cold
}

// maxCopy is the largest file in bytes that S3 copies in one request.
const maxCopy = 5 << 30

// Rename implements [Place]: the service copies the file, and the old name is removed.
func (p *S3) Rename(ctx context.Context, from, to string) error {
	if err := errors.Join(checkName(from), checkName(to)); err != nil {
		return err
	}
	if _, err := p.Stat(ctx, to); !notThere(err) {
		return errors.Join(p.fault("rename", to, fs.ErrExist), err)
	}
	e, err := p.Stat(ctx, from)
	if err != nil {
		return err
	}
	into := minio.CopyDestOptions{Bucket: p.bucket, Object: p.prefix + to}
	source := minio.CopySrcOptions{Bucket: p.bucket, Object: p.prefix + from}
	if e.Size <= maxCopy {
		_, err = p.core.Client.CopyObject(ctx, into, source)
	} else {
		_, err = p.core.ComposeObject(ctx, into, source)
	}
	if err != nil {
		return p.fault("rename", from, err)
	}
	return p.Remove(ctx, from)
}

// Remove implements [Place]. In a bucket with versions, the earlier bytes stay as a version.
func (p *S3) Remove(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	err := p.fault("remove", name, p.core.RemoveObject(ctx, p.bucket, p.prefix+name, minio.RemoveObjectOptions{}))
	if notThere(err) {
		return nil
	}
	return err
}

// Erase implements [Place].
func (p *S3) Erase(ctx context.Context, prefix string, only func(name string) bool) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	chosen := func(key string) bool { return only == nil || only(strings.TrimPrefix(key, p.prefix)) }
	all := minio.ListObjectsOptions{Prefix: p.prefix + prefix, Recursive: true, WithVersions: true}
	for o := range p.core.ListObjectsIter(ctx, p.bucket, all) {
		if o.Err != nil {
			return p.fault("erase", prefix, o.Err)
		}
		if !chosen(o.Key) {
			continue
		}
		err := p.core.RemoveObject(ctx, p.bucket, o.Key, minio.RemoveObjectOptions{VersionID: o.VersionID})
		if err != nil {
			return p.fault("erase", strings.TrimPrefix(o.Key, p.prefix), err)
		}
	}
	for u := range p.core.ListIncompleteUploads(ctx, p.bucket, p.prefix+prefix, true) {
		if u.Err != nil {
			return p.fault("erase", prefix, u.Err)
		}
		if !chosen(u.Key) {
			continue
		}
		if err := p.core.AbortMultipartUpload(ctx, p.bucket, u.Key, u.UploadID); err != nil {
			return p.fault("erase", strings.TrimPrefix(u.Key, p.prefix), err)
		}
	}
	return nil
}

// Probe implements [Place].
func (p *S3) Probe(ctx context.Context) (Traits, error) {
	p.setExclusive(true) // so that only the service refuses
	t, err := probe(ctx, p)
	p.setExclusive(err == nil && t.Exclusive)
	if err == nil {
		t.Checks, err = p.checks(ctx)
	}
	return p.settings.traits(t), err
}

func (p *S3) setExclusive(known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exclusive = known
}

func (p *S3) isExclusive() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exclusive
}
