package arcwarc

import (
	"crypto/sha1"
	"hash"
	"io"
	"strings"

	"quire/format/http1"
	"quire/format/warc"
)

// algorithm is the algorithm of block and payload digests. Crawl logs, duplicate lists and CDX
// files of the ARC's time have SHA-1, so records can be compared with them, and every reader of
// WARC supports it. The SHA-512 of the whole, not SHA-1, protects against deliberate changes.
const algorithm = "sha1"

// sums examines a block written to it: whether it begins with a status line, and its digests.
type sums struct {
	block    hash.Hash
	body     hash.Hash
	splitter *http1.Splitter
	payload  http1.Payload
}

func newSums() *sums {
	s := &sums{block: sha1.New(), body: sha1.New()}
	s.splitter = http1.NewSplitter(http1.Response, func(h *http1.Head) io.Writer {
		s.payload.Reset(h, s.body)
		return &s.payload
	})
	return s
}

func (s *sums) reset() {
	s.block.Reset()
	s.body.Reset()
	s.payload.Reset(nil, s.body)
	s.splitter.Reset(http1.Response)
}

func (s *sums) Write(p []byte) (int, error) {
	_, _ = s.block.Write(p) // a hash never fails
	_, _ = s.splitter.Write(p)
	return len(p), nil
}

// finish marks the end of the block.
func (s *sums) finish() {
	_ = s.splitter.Close() // a hash has no errors,
	_ = s.payload.Close()  // and an incomplete chunk is used as far as it goes
}

// answered reports whether the block begins with a status line (RFC 9112, 4): a protocol and a code
// of three digits.
func (s *sums) answered() bool {
	h := s.splitter.Head()
	return h != nil && h.StatusCode > 0 && strings.HasPrefix(h.Proto, "HTTP/")
}

// fields returns the digests of a record of this type: of the block (5.8), and of the payload of a
// capture (5.9).
func (s *sums) fields(kind string) []warc.NameValue {
	block := warc.FormatDigest(algorithm, s.block.Sum(nil))
	fields := []warc.NameValue{{Name: warc.FieldBlockDigest, Value: block}}
	switch kind {
	case warc.TypeResponse:
		body := warc.FormatDigest(algorithm, s.body.Sum(nil))
		fields = append(fields, warc.NameValue{Name: warc.FieldPayloadDigest, Value: body})
	case warc.TypeResource: // its payload is its block
		fields = append(fields, warc.NameValue{Name: warc.FieldPayloadDigest, Value: block})
	}
	return fields
}
