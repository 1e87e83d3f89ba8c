package captures

import (
	"context"
	"encoding/hex"
	"errors"
	"iter"

	"quire/format/warc"
)

// Holders yields the records with a payload, by a digest in the form of captures ("sha1:BASE32",
// "sha256:…"), in any package: by key and time, then the unlisted ones. It ignores the statements
// of revisits. Packages state the digests themselves: a caller that serves one payload in place of
// another must verify it.
func (x *Index) Holders(ctx context.Context, digest string) iter.Seq2[*Capture, error] {
	return x.byDigest(ctx, digest, ofUnlisted+digest)
}

// Revisits yields the revisits that state a digest.
func (x *Index) Revisits(ctx context.Context, digest string) iter.Seq2[*Capture, error] {
	return x.byDigest(ctx, ofRevisits+digest)
}

// Bodies yields the records with this SHA-256 of the body as sent, including the transfer coding,
// even if the payload differs.
func (x *Index) Bodies(ctx context.Context, sum []byte) iter.Seq2[*Capture, error] {
	digest := warc.FormatDigest("sha256", sum)
	return x.byDigest(ctx, digest, ofUnlisted+digest, ofBodies+hex.EncodeToString(sum))
}

func (x *Index) byDigest(ctx context.Context, words ...string) iter.Seq2[*Capture, error] {
	return func(yield func(*Capture, error) bool) {
		r, err := x.reader(ctx, Query{})
		if err != nil {
			yield(nil, err)
			return
		}
		defer x.release(r.snapshot)
		err = guarded(r.maps, func() error {
			for _, word := range words {
				err := r.holders(word, func(c *Capture) error {
					if !yield(c, nil) {
						return errEnough
					}
					return ctx.Err()
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	}
}

// holders reads the payloads lines with a prefix, segment by segment, and their captures.
func (r *reader) holders(word string, visit func(*Capture) error) error {
	s := stretch{[]byte(word + " "), []byte(word + " ~")}
	l := &lookup{}
	defer l.close()
	var cursors []*cursor
	home := map[*cursor]*files{}
	for _, f := range r.segments {
		place, err := l.search(f.payloads, s.from)
		if err != nil {
			return err
		}
		c := f.payloads.from(place)
		home[c] = f
		cursors = append(cursors, c)
	}
	err := mergeFrom(cursors, false, func(c *cursor) error {
		if s.ends(c.line, false) {
			return errBeyond
		}
		rest := c.line[len(word)+1:]
		_, _, object, ok := cutLine(rest)
		h, _, scanned := scanPointer(object)
		if !ok || !scanned {
			return errLine(c.line)
		}
		if r.containers[h.in] == nil {
			return nil
		}
		found, w, err := r.find(home[c], positionOf(string(rest[:len(rest)-len(object)-1]), h.in, h.order))
		if err == nil {
			found, err = r.resolved(found, w)
		}
		if err != nil {
			return err
		}
		return visit(found)
	})
	if errors.Is(err, errBeyond) {
		return nil
	}
	return err
}
