package reconcile

import (
	"errors"
	"fmt"

	"quire/format/warc"
)

// matchPlaces compares the statements of indexes and records about the same place. Sightings
// without a partner there are later compared by URL and time: a container compressed later has the
// same records at other places.
func (r *run) matchPlaces() error {
	var here []sighting
	place := ""
	flush := func() error {
		err := r.comparePlace(here)
		here = here[:0]
		return err
	}
	err := r.places.Each(func(key, value []byte) error {
		if string(key[:placeSize]) != place || len(here) >= maxGroup {
			if err := flush(); err != nil {
				return err
			}
			place = string(key[:placeSize])
		}
		s := sighting{uri: string(key[placeSize : len(key)-1])}
		s.host = hostOf(s.uri)
		here = append(here, s)
		return here[len(here)-1].parse(key, value)
	})
	if err != nil {
		return err
	}
	return errors.Join(flush(), r.places.Close()) // needs as much space as the next step
}

// placeSize is the size of a container and an offset in a key.
const placeSize = 12

// maxGroup limits the sightings compared with each other at once.
const maxGroup = 1 << 16

// comparePlace compares the sightings at one place: usually a record and an entry of each index.
func (r *run) comparePlace(here []sighting) error {
	indexed := make([]bool, len(here))
	for i := range here {
		entry := &here[i]
		if entry.kind != ofIndex {
			continue
		}
		record := r.recordFor(entry, here)
		if record < 0 {
			if err := r.see(entry); err != nil {
				return err
			}
			continue
		}
		r.out.Joined.IndexAt++
		indexed[record] = true
		r.shelf.all[entry.container].placed++
		r.index.kinds[indexKind(&here[record])] = true
		if err := r.compareEntry(entry, &here[record]); err != nil {
			return err
		}
	}
	if r.out.Witnesses.Index.Entries == 0 {
		return nil
	}
	for i := range here {
		s := &here[i]
		if s.kind != ofRecord || indexed[i] || s.is(isAuxiliary) || r.shelf.all[s.container].entries == 0 {
			continue
		}
		s.kind = ofUnindexed
		if err := r.see(s); err != nil {
			return err
		}
	}
	return nil
}

// recordFor finds the record that an index entry refers to: the record with the same URL, or else
// the only record at the same position. It returns -1 if there is none.
func (r *run) recordFor(entry *sighting, here []sighting) int {
	found, n := -1, 0
	for i := range here {
		if here[i].kind != ofRecord {
			continue
		}
		if here[i].uri == entry.uri {
			return i
		}
		found, n = i, n+1
	}
	if n == 1 && (entry.second() == here[found].second() || here[found].is(isAuxiliary)) {
		return found
	}
	return -1
}

// indexKind returns the kind of record that an index includes or omits: its type, and whether it is
// a look-up.
func indexKind(s *sighting) string {
	if isLookup(s.uri) {
		return "look-up"
	}
	return s.what
}

// compareEntry compares an entry with the record at its place.
func (r *run) compareEntry(entry, record *sighting) error {
	for _, check := range []func(entry, record *sighting) (*Reason, string){r.entryURL, r.entryTime, r.entryStatus,
		r.entryDigest, r.entryLength} {
		why, detail := check(entry, record)
		if detail == "" {
			continue
		}
		if err := r.noted(IndexDiffers, why, record, detail); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) entryURL(entry, record *sighting) (*Reason, string) {
	if entry.uri == record.uri || record.is(isAuxiliary) {
		return nil, ""
	}
	return nil, fmt.Sprintf("the index has the URL %.500q", entry.url())
}

func (r *run) entryTime(entry, record *sighting) (*Reason, string) {
	if entry.at == noTime || record.at == noTime || entry.second() == record.second() {
		return nil, ""
	}
	return nil, "the index has the time " + entry.time().Format(timeForm)
}

const timeForm = "2006-01-02T15:04:05Z"

func (r *run) entryStatus(entry, record *sighting) (*Reason, string) {
	if entry.status == 0 || record.status == 0 || entry.status == record.status {
		return nil, ""
	}
	return nil, fmt.Sprintf("the index has the status %d, the record %d", entry.status, record.status)
}

// entryDigest compares digests of one algorithm. The digest of a revisit is the digest of the
// original content.
func (r *run) entryDigest(entry, record *sighting) (*Reason, string) {
	if likeness(entry.digest, record) != unlike || record.is(isAuxiliary) {
		return nil, ""
	}
	const detail = "the index has another digest"
	switch {
	case record.what == warc.TypeRevisit:
		return nil, ""
	case record.is(isUnsound):
		return reasonDamaged, detail
	case emptyDigests[entry.digest] && record.size > 0:
		return reasonOfNothing, "the index has the digest of no bytes"
	case record.is(isCoded):
		return reasonFramed, detail
	}
	return nil, detail
}

// emptyDigests are the digests of no bytes.
var emptyDigests = map[string]bool{
	digestOf("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"):                                   true,
	digestOf("sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"): true,
}

// entryLength compares a length with all counts that index writers use: the stored record, with or
// without the line ends after it; the block, as in ARC; the payload. For a record in a compressed
// member, the length may be the inflated one, without a mark in the index: at least the block, and
// at most a header more.
func (r *run) entryLength(entry, record *sighting) (*Reason, string) {
	n := entry.size
	if n < 0 || n == record.content || n == record.size {
		return nil, ""
	}
	if ends := record.stored - n; record.stored >= 0 && ends >= 0 && ends <= lineEnds {
		return nil, ""
	}
	detail := fmt.Sprintf("the index has the length %d; the record has %d bytes, its block %d, the payload %d", n,
		record.stored, record.content, record.size)
	if record.is(isUnsound) {
		return reasonDamaged, detail
	}
	if n > record.size && n < record.content+maxHeader {
		return reasonLengthNotion, detail
	}
	return nil, detail
}

const (
	lineEnds  = 4       // bytes between two records
	maxHeader = 8 << 10 // bytes: above the header size of real records
)

// noted stores a difference until the URLs of its host are compared, so that the difference is
// counted for this host.
func (r *run) noted(k Kind, why *Reason, s *sighting, detail string) error {
	if why == nil {
		why = reasonNone
	}
	n := *s
	n.kind, n.what, n.note = ofNoted, string(k), why.Code+"\x00"+detail
	return r.see(&n)
}
