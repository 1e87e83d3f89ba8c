package aip

import (
	"bufio"
	"context"
	"crypto/md5"  //nolint:gosec // a METS may state it
	"crypto/sha1" //nolint:gosec // as above
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"io"
	"strings"
)

// PartError reports that the bytes of a part cannot be reached, or differ from those that the METS
// states.
type PartError struct {
	ID     string
	Reason string
}

// Error names the part and the problem.
func (e *PartError) Error() string { return "file " + clip(e.ID) + ": " + e.Reason }

// hashes maps each supported value of CHECKSUMTYPE to its algorithm.
var hashes = map[string]func() hash.Hash{
	"SHA-512": sha512.New, "SHA-384": sha512.New384, "SHA-256": sha256.New, "SHA-1": sha1.New, "MD5": md5.New,
	"CRC32": func() hash.Hash { return crc32.NewIEEE() }, "Adler-32": func() hash.Hash { return adler32.New() },
}

// Write writes the bytes that the file element delimits to w. If decoded is set, Write first undoes
// the part's own transformations. In both cases it compares size and digest of the bytes before
// decoding with those that the METS states. Values that the METS does not state are not compared.
// Nothing is unpacked to disk, and memory does not grow with the part.
//
// The error is a *[PartError] when the bytes cannot be reached, or differ from those that the METS
// states. Some or all of the bytes may then be written already. Other errors come from w, the disk,
// or ctx.
func (p *Part) Write(ctx context.Context, dir string, w io.Writer, decoded bool) error {
	root, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // it was only read
	f, size, err := p.openPart(root)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	disk := &errorKeeper{src: f}
	shop := newWorkshop(func() io.Reader { return io.NewSectionReader(f, 0, size) })
	defer shop.close()
	raw, stack, err := p.reach(ctx, io.NewSectionReader(disk, 0, size), shop)
	if err == nil {
		err = p.copyVerified(raw, shop, w, decoded)
	}
	var reason *PartError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case disk.err != nil:
		return fmt.Errorf("reading %s: %w", p.Path, disk.err)
	case errors.As(err, &reason):
		reason.Reason += transformError(stack)
	}
	return err
}

// errorKeeper keeps the read error of a file. Without it, a decoder may mistake the error for the end of
// its input.
type errorKeeper struct {
	src io.ReaderAt
	err error
}

// ReadAt implements io.ReaderAt.
func (k *errorKeeper) ReadAt(p []byte, at int64) (int, error) {
	n, err := k.src.ReadAt(p, at)
	if err != nil && !errors.Is(err, io.EOF) {
		k.err = err
	}
	return n, err
}

// transformError returns the first error in the transformations of the parents, as far as they were
// read.
func transformError(stack []*decodedFile) string {
	for _, u := range stack {
		if why := u.wrong(); why != "" {
			return "; " + why
		}
	}
	return ""
}

// reach moves to the first byte of the part within the file of the package. In a parent that is
// stored plainly it seeks; where a transformation is undone, it reads up to that byte.
func (p *Part) reach(ctx context.Context, file *io.SectionReader, shop *decoderPool) (raw io.Reader, stack []*decodedFile,
	err error) {
	raw = file
	for i := 1; i < len(p.chain); i++ {
		parent, part := &p.chain[i-1], &p.chain[i]
		if parent.unknown != "" {
			return nil, stack, p.errorf("it lies in file %s, which %s", clip(parent.id), parent.unknown)
		}
		if wrong := part.wrongRange(); wrong != "" {
			return nil, stack, p.errorf("file %s %s", clip(part.id), wrong)
		}
		begin, length := max(part.begin, 0), part.length()
		if plain, ok := raw.(*io.SectionReader); ok && len(parent.transforms) == 0 {
			if begin > plain.Size() || length > plain.Size()-begin {
				return nil, stack, p.errorf("bytes %d to %d of file %s are beyond its end: it has %d", begin, part.end,
					clip(parent.id), plain.Size())
			}
			if length < 0 {
				length = plain.Size() - begin
			}
			raw = io.NewSectionReader(plain, begin, length)
			continue
		}
		content := shop.undo(parent.transforms, &stopping{ctx, raw})
		stack = append(stack, content)
		if n, err := io.CopyN(io.Discard, content, begin); n < begin {
			return nil, stack, p.errorf("file %s has only %d bytes and ends before byte %d (%w)", clip(parent.id),
				n, begin, err)
		}
		raw = content
		if length >= 0 {
			raw = io.LimitReader(content, length)
		}
	}
	return &stopping{ctx, raw}, stack, nil
}

func (p *Part) errorf(format string, args ...any) error {
	return &PartError{ID: p.ID, Reason: fmt.Errorf(format, args...).Error()}
}

// copyVerified writes the part and compares it with the size and digest in the METS.
func (p *Part) copyVerified(raw io.Reader, shop *decoderPool, w io.Writer, decoded bool) error {
	part := &p.chain[len(p.chain)-1]
	seen := newSeen(part, raw)
	var from io.Reader = seen
	var content *decodedFile
	if decoded {
		if part.unknown != "" {
			return p.errorf("it %s", part.unknown)
		}
		content = shop.undo(part.transforms, seen)
		from = content
	}
	out := bufio.NewWriterSize(w, bufferSize)
	if _, err := io.Copy(out, onlyReader{from}); err != nil {
		return fmt.Errorf("file %s: %w", clip(p.ID), err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("file %s: %w", clip(p.ID), err)
	}
	if _, err := io.Copy(io.Discard, onlyReader{seen}); err != nil { // the rest, which the decoder did not read
		return fmt.Errorf("file %s: %w", clip(p.ID), err)
	}
	if wrong := seen.wrongSize(); wrong != "" {
		return p.errorf("%s", wrong)
	}
	if wrong := seen.wrongDigest(); wrong != "" {
		return p.errorf("%s", wrong)
	}
	if content != nil {
		if why := content.wrong(); why != "" {
			return p.errorf("its transformations cannot be undone to the end: %s", why)
		}
	}
	return nil
}

// partDigest counts the bytes of a part and computes their digest while they are read through it.
type partDigest struct {
	part *element
	src  io.Reader
	hash hash.Hash // nil where the METS states no supported digest
	size int64
}

func newSeen(part *element, src io.Reader) *partDigest {
	s := &partDigest{part: part, src: src}
	if makeHash := hashes[part.algorithm]; makeHash != nil && part.digest != "" {
		s.hash = makeHash()
	}
	return s
}

// Read implements io.Reader.
func (s *partDigest) Read(p []byte) (int, error) {
	n, err := s.src.Read(p)
	s.size += int64(n)
	if s.hash != nil {
		s.hash.Write(p[:n])
	}
	return n, err
}

// wrongSize returns how the number of bytes differs from the one that the METS states, or "". All
// bytes were read before.
func (s *partDigest) wrongSize() string {
	switch length := s.part.length(); {
	case length >= 0 && s.size != length:
		return fmt.Sprintf("ends after %d of the %d bytes from BEGIN to END", s.size, length)
	case s.part.size >= 0 && s.size != s.part.size:
		return fmt.Sprintf("has %d bytes; %s says %d", s.size, METSName, s.part.size)
	}
	return ""
}

// wrongDigest returns how the digest differs from the one that the METS states, or "". All bytes
// were read before.
func (s *partDigest) wrongDigest() string {
	if s.hash == nil {
		return ""
	}
	if sum := hex.EncodeToString(s.hash.Sum(nil)); sum != strings.ToLower(s.part.digest) {
		return fmt.Sprintf("has %s %s; %s says %s", s.part.algorithm, sum, METSName, clip(s.part.digest))
	}
	return ""
}
