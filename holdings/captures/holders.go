package captures

import (
	"context"
	"encoding/hex"
	"errors"
	"iter"

	"quire/format/warc"
)

// Holders gives the records that hold a payload, by its digest as captures have it ("sha1:BASE32",
// "sha256:…"), in whatever package they lie: by key and time, and behind them those that are
// unlisted. What revisits state is not asked for. The digest is what packages say of their own
// records: who hands out the payload of one for that of another compares it.
func (x *Index) Holders(ctx context.Context, digest string) iter.Seq2[*Capture, error] {
	return x.byDigest(ctx, digest, ofUnlisted+digest)
}

// Revisits gives the revisits that state a digest.
func (x *Index) Revisits(ctx context.Context, digest string) iter.Seq2[*Capture, error] {
	return x.byDigest(ctx, ofRevisits+digest)
}

// Bodies gives the records whose body has this SHA-256 as it was sent, transfer coding and all,
// whether or not that is their payload.
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

// holders reads the lines of payloads that begin with a word, segment by segment, and the captures
// that they are of.
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
