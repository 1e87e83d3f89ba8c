package search

import (
	"fmt"

	"github.com/klauspost/compress/zstd"

	"quire/access/search/extract"
)

// packer compresses the texts of snippets. It is safe for concurrent use.
type packer struct {
	in  *zstd.Encoder
	out *zstd.Decoder
}

func newPacker() (packer, error) {
	in, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true),
		zstd.WithWindowSize(extract.MaxBody))
	if err != nil {
		return packer{}, err
	}
	out, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(2*extract.MaxBody))
	return packer{in, out}, err
}

func (p *packer) pack(s string) []byte {
	if s == "" {
		return nil
	}
	return p.in.EncodeAll([]byte(s), nil)
}

func (p *packer) unpack(b []byte) (string, error) {
	if len(b) == 0 {
		return "", nil
	}
	text, err := p.out.DecodeAll(b, nil)
	if err != nil {
		return "", fmt.Errorf("a text of the index cannot be read; rebuild the index with quire index "+
			"--rebuild: %w",
			err)
	}
	return string(text), nil
}
