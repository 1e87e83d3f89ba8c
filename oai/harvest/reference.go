package harvest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"

	"quire/oai/crate"
)

// fetch gets the bytes that a record refers to. The body states why the bytes could not be fetched.
// The error is only for a failure of this machine or of the context.
func (k *crateRecord) fetch(r *crate.Resource) (*body, error) {
	b := &body{Resource: r, fetched: true, found: crate.Fixity{Size: -1}}
	u, _ := url.Parse(r.Ref) // nil if invalid
	if u == nil || u.Scheme != "http" && u.Scheme != "https" {
		b.problem = fmt.Sprintf("the record refers to %.300q, which is not an http or https URL", r.Ref)
		return b, nil
	}
	limit := int64(-1)
	if r.Stated.Size >= 0 {
		limit = r.Stated.Size
	}
	answer, err := k.client.Fetch(k.ctx, u, limit)
	if k.ctx.Err() != nil {
		return nil, k.ctx.Err()
	}
	if err != nil {
		b.problem = fmt.Sprintf("not available from %s: %v", r.Ref, err)
		return b, nil
	}
	b.held = answer.Take()
	sum := sha256.New()
	size, err := io.Copy(sum, b.held.Reader())
	if err != nil {
		return nil, err
	}
	b.found = crate.Fixity{Size: size, SHA256: hex.EncodeToString(sum.Sum(nil))}
	switch s := r.Stated; {
	case s.Size >= 0 && s.Size != size:
		b.problem = fmt.Sprintf("%s sent %d bytes; %d were stated", r.Ref, size, s.Size)
	case s.SHA256 != "" && s.SHA256 != b.found.SHA256:
		b.problem = fmt.Sprintf("%s sent bytes with SHA-256 %s; %s was stated", r.Ref, b.found.SHA256, s.SHA256)
	}
	return b, nil
}
