package crate

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"strconv"
	"strings"

	"quire/format/httpcoding"
	"quire/internal/disk"
	"quire/oai/plugin"
	"quire/oai/resource"
)

// keep reads the bytes of a resource once and stores them. So the tools, the digests and the
// document use the same bytes, and these bytes are known to be complete before the document begins.
// keep adds notices to the CRATE. It returns nil if there are no bytes to store. An error comes
// from ctx or from this machine.
func (d *Disseminator) keep(ctx context.Context, r *resource.Resource, c *Crate) (_ *plugin.Held, err error) {
	if r.Size > d.Largest {
		return nil, d.digest(ctx, r, c)
	}
	in, err := r.Open(ctx)
	if err != nil {
		return nil, c.unreadable(ctx, 0, err)
	}
	defer func() { _ = in.Close() }() // read only
	sum := sha512.New()
	from := &readErrorRecorder{Reader: io.LimitReader(in, d.Largest+1)}
	k, err := plugin.Hold(ctx, io.TeeReader(from, sum),
		plugin.HoldOptions{URL: r.URL, MIMEType: r.MIMEType, Charset: charsetOf(r), Name: c.Name,
			Modified: c.Modified, TempDir: d.TempDir})
	switch {
	case from.err != nil:
		return nil, c.unreadable(ctx, from.n, from.err)
	case err != nil:
		return nil, err
	case k.Size > d.Largest:
		if err := k.Close(); err != nil {
			return nil, err
		}
		return nil, d.digest(ctx, r, c)
	}
	c.Fixity = Fixity{Size: k.Size, SHA256: k.SHA256, SHA512: hex.EncodeToString(sum.Sum(nil))}
	c.compare(r)
	if k.Size > d.ByValue {
		c.byReference(d.ByValue)
	} else {
		c.Bytes = k.Reader()
	}
	return k, nil
}

// readErrorRecorder records a read error, to distinguish it from a failure to store the bytes.
type readErrorRecorder struct {
	io.Reader
	n   int64
	err error
}

func (t *readErrorRecorder) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	t.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		t.err = err
	}
	return n, err
}

// digest reads bytes that are too large to store, only for their size and digests.
func (d *Disseminator) digest(ctx context.Context, r *resource.Resource, c *Crate) error {
	in, err := r.Open(ctx)
	if err != nil {
		return c.unreadable(ctx, 0, err)
	}
	defer func() { _ = in.Close() }() // read only
	s := newSum(nil, true)
	if n, err := io.Copy(s, &disk.Counted{Ctx: ctx, From: in}); err != nil {
		return c.unreadable(ctx, n, err)
	}
	c.Fixity = s.fixity()
	c.compare(r)
	c.byReference(d.ByValue)
	return nil
}

// unreadable adds a notice that the bytes are unreadable. If the client has left, it adds none.
func (c *Crate) unreadable(ctx context.Context, after int64, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if after > 0 {
		c.notice(Unreadable, "after %d bytes: %v", after, err)
	} else {
		c.notice(Unreadable, "%v", err)
	}
	return nil
}

func (c *Crate) byReference(most int64) {
	where := "they are had at the reference"
	if c.Ref == "" {
		where = "there is no place here where just these are had"
	}
	c.notice(ByReference, "%d bytes are more than the %d that go into a document here: %s", c.Fixity.Size, most, where)
}

// compare adds a notice if the bytes differ from the statements of the resource or its head.
func (c *Crate) compare(r *resource.Resource) {
	found := c.Fixity.Size
	if r.Size >= 0 && r.Size != found {
		c.notice(Differs, "%d bytes were said to be there; there are %d", r.Size, found)
		return
	}
	coded := false
	length := int64(-1)
	for _, f := range r.Header {
		switch strings.ToLower(f.Name) {
		case "content-encoding":
			coded = true
		case "content-length":
			if n, err := strconv.ParseInt(strings.TrimSpace(f.Value), 10, 64); err == nil {
				length = n
			}
		}
	}
	if length >= 0 && length != found && coded == (r.Coding != "") {
		c.notice(Differs, "Content-Length is %d; there are %d bytes", length, found)
	}
}

// ask runs tools on the bytes, decoded if they have a content coding.
func (d *Disseminator) ask(ctx context.Context, tools plugin.Examiner, r *resource.Resource, k *plugin.Held,
	c *Crate) (err error) {
	content := &k.Content
	if r.Coding != "" {
		plain, why := d.decoded(ctx, r, k)
		if plain == nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			c.notice(NoTools, "tools looked at the bytes as they are coded: %s", why)
		} else {
			defer func() {
				if closed := plain.Close(); err == nil {
					err = closed
				}
			}()
			content = &plain.Content
		}
	}
	c.Results, err = tools.Run(ctx, content)
	return err
}

// decoded returns the bytes without their content coding, or the reason why that is impossible.
func (d *Disseminator) decoded(ctx context.Context, r *resource.Resource, k *plugin.Held) (_ *plugin.Held, why string) {
	dec := httpcoding.NewDecoder()
	defer dec.Stop()
	from, ok := dec.Pull(codingsIn(r.Coding), k.Reader())
	if !ok {
		return nil, fmt.Sprintf("the coding %q is not known", r.Coding)
	}
	plain, err := plugin.Hold(ctx, io.LimitReader(from, d.Largest+1),
		plugin.HoldOptions{URL: r.URL, MIMEType: r.MIMEType, Charset: charsetOf(r), Name: nameOf(r),
			Modified: modifiedOf(r), TempDir: d.TempDir})
	switch {
	case err != nil:
		why = err.Error()
	case plain.Size > d.Largest:
		why = fmt.Sprintf("without the coding they are more than %d", d.Largest)
	case !dec.Decoded():
		why = fmt.Sprintf("they are no %s", r.Coding)
	default:
		return plain, ""
	}
	if plain != nil {
		_ = plain.Close() // its content is useless
	}
	return nil, why
}

// charsetOf returns the charset that the head declares.
func charsetOf(r *resource.Resource) string {
	for _, f := range r.Header {
		if strings.EqualFold(f.Name, "content-type") {
			_, p, err := mime.ParseMediaType(f.Value)
			if err != nil {
				return ""
			}
			return p["charset"]
		}
	}
	return ""
}
