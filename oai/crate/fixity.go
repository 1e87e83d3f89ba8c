package crate

import (
	"cmp"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"

	"quire/metadata/xmlstream"
)

// writeBytes writes crate:bytes: the file name and time of the resource, and the size and the
// digests of its bytes.
func writeBytes(x *xmlstream.Writer, c *Crate) error {
	f := c.Fixity
	x.Declare("crate", Namespace)
	x.Start("crate:bytes")
	x.AttrOpt("name", c.Name)
	x.AttrTimeOpt("modified", c.Modified)
	if f.Size >= 0 {
		x.AttrInt("size", f.Size)
	}
	for _, d := range []struct{ name, value string }{{"SHA-256", f.SHA256}, {"SHA-512", f.SHA512}} {
		if d.value != "" {
			x.Start("crate:digest")
			x.Attr("algorithm", d.name)
			x.Text(d.value)
			x.End("crate:digest")
		}
	}
	x.End("crate:bytes")
	return x.Err()
}

// bytes reads the current crate:bytes.
func (r *reading) bytes(e xmlstream.Element) (Fixity, error) {
	f := Fixity{Size: -1}
	if s := e.Attr("size"); s != "" {
		size, err := strconv.ParseInt(s, 10, 64)
		if err == nil && size >= 0 {
			f.Size = size
		} else {
			r.problem("size %.20q is not a number of bytes", s)
		}
	}
	err := r.EachIn(Namespace, func(e xmlstream.Element) error {
		switch e.Attr("algorithm") {
		case "SHA-256":
			return r.TextTo(&f.SHA256)
		case "SHA-512":
			return r.TextTo(&f.SHA512)
		}
		return r.unknown()
	})
	f.SHA256, f.SHA512 = strings.ToLower(strings.TrimSpace(f.SHA256)), strings.ToLower(strings.TrimSpace(f.SHA512))
	return f, err
}

// sum digests the bytes written to it.
type sum struct {
	size           int64
	sha256, sha512 hash.Hash
	out            io.Writer
}

// newSum returns a sum that also writes the bytes to out. SHA-512 is optional.
func newSum(out io.Writer, with512 bool) *sum {
	s := &sum{sha256: sha256.New(), out: out}
	if with512 {
		s.sha512 = sha512.New()
	}
	return s
}

func (s *sum) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	_, _ = s.sha256.Write(p) // a hash does not fail
	if s.sha512 != nil {
		_, _ = s.sha512.Write(p)
	}
	if s.out == nil {
		return len(p), nil
	}
	return s.out.Write(p)
}

func (s *sum) fixity() Fixity {
	f := Fixity{Size: s.size, SHA256: hex.EncodeToString(s.sha256.Sum(nil))}
	if s.sha512 != nil {
		f.SHA512 = hex.EncodeToString(s.sha512.Sum(nil))
	}
	return f
}

// differs describes the first known difference between found and stated bytes, or returns "".
func (f Fixity) differs(found Fixity) string {
	switch {
	case f.Size >= 0 && f.Size != found.Size:
		return fmt.Sprintf("%d bytes were found; %d were stated", found.Size, f.Size)
	case f.SHA256 != "" && f.SHA256 != cmp.Or(found.SHA256, f.SHA256):
		return fmt.Sprintf("SHA-256 is %s; %s was stated", found.SHA256, f.SHA256)
	case f.SHA512 != "" && f.SHA512 != cmp.Or(found.SHA512, f.SHA512):
		return fmt.Sprintf("SHA-512 is %s; %s was stated", found.SHA512, f.SHA512)
	}
	return ""
}
