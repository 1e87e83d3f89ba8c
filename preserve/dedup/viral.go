package dedup

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"quire/format/warc"
	"quire/model"
)

// ViralList names records that must stay as they are, because a scanner found something in them: a
// revisit would lead readers to another copy of it, and the place where it was found would be lost.
// It holds WARC-Record-IDs and digests of payloads or blocks. A nil ViralList names none.
type ViralList struct {
	ids     map[string]bool
	digests map[string]bool // as FormatDigest writes them
}

// maxViralLine bounds a line of the list, in bytes.
const maxViralLine = 64 << 10

// ReadViralList reads a list: a record id or a digest a line ("sha256:…"). Empty lines, and those
// that begin with #, say nothing.
func ReadViralList(r io.Reader) (*ViralList, error) {
	v := &ViralList{ids: map[string]bool{}, digests: map[string]bool{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxViralLine)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if d, err := warc.ParseDigest(line); err == nil {
			v.digests[warc.FormatDigest(d.Algorithm, d.Sum)] = true
			continue
		}
		id := bareID(line)
		if !strings.Contains(id, ":") || strings.ContainsAny(id, " \t<>") {
			return nil, fmt.Errorf("line %d is neither a record id nor a digest: %.80q", n, line)
		}
		v.ids[id] = true
	}
	return v, lines.Err()
}

func bareID(id string) string { return strings.TrimSuffix(strings.TrimPrefix(id, "<"), ">") }

// Has says whether the id is listed.
func (v *ViralList) Has(id string) bool { return v != nil && v.ids[bareID(id)] }

// hasPayload says whether a digest of the record is listed: one that was computed, or one that it
// states.
func (v *ViralList) hasPayload(r *model.Record, p *Payload) bool {
	if v == nil || len(v.digests) == 0 {
		return false
	}
	for _, d := range []warc.Digest{
		{Algorithm: "sha1", Sum: p.SHA1[:]}, {Algorithm: "sha256", Sum: p.SHA256[:]},
		{Algorithm: "sha256", Sum: p.Body[:]},
	} {
		if v.digests[warc.FormatDigest(d.Algorithm, d.Sum)] {
			return true
		}
	}
	for _, stated := range []string{r.BlockDigest, r.PayloadDigest} {
		if d, err := warc.ParseDigest(stated); err == nil && v.digests[warc.FormatDigest(d.Algorithm, d.Sum)] {
			return true
		}
	}
	return false
}
