package dedup

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"quire/format/warc"
	"quire/model"
)

// ViralList names records that must stay unchanged because a scanner found a virus. A revisit would
// lead readers to another copy, and the infected record would be lost. The list holds
// WARC-Record-IDs and digests of payloads or blocks. A nil ViralList is empty.
type ViralList struct {
	ids     map[string]bool
	digests map[string]bool // in the form of FormatDigest
}

// maxViralLine bounds a line of the list, in bytes.
const maxViralLine = 64 << 10

// ReadViralList reads a list with one record id or digest per line ("sha256:…"). It ignores empty
// lines, and lines that begin with #.
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

// Has reports whether the id is listed.
func (v *ViralList) Has(id string) bool { return v != nil && v.ids[bareID(id)] }

// hasPayload reports whether a digest of the record is listed, computed or stated.
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
