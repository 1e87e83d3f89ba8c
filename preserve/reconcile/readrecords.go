package reconcile

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"strings"

	"quire/format/warc"
	"quire/model"
	"quire/preserve/inspect"
)

// readContainers reads each container once, in the pass that inspects it.
func (r *run) readContainers() error {
	for i := range r.shelf.all {
		c := r.shelf.all[i]
		if !c.present {
			continue
		}
		if err := r.readContainer(i, c); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) readContainer(id int, c *container) (err error) {
	file := r.file(c.path)
	in, err := r.reading(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	sums, copyTo := c.sums()
	o := inspect.Options{Name: c.name, MaxFindings: 3, Contents: true, CopyTo: copyTo,
		Record: func(rec model.Record) error { return r.readRecord(id, c, &rec) }}
	result, err := inspect.Reader(r.ctx, in, o)
	if err != nil {
		return err
	}
	c.outcome, c.inflated, c.records = result.Outcome, result.InflatedBytes, result.Records.Total
	c.isWARC, c.gzipped = result.Format == "WARC", result.Compression != "none"
	for _, f := range result.Findings {
		f.Path = c.path
		r.find(f)
	}
	r.out.Total += result.FindingsTotal - int64(len(result.Findings))
	for code, n := range result.FindingCounts {
		if losesRecords(code) {
			c.broken += n
		}
		if losesRecords(code) && strings.HasSuffix(code, "-TRUNCATED") && c.cut == "" {
			c.cut = "its last record is truncated (" + code + ")"
		}
	}
	r.nameWithin(id, c, result)
	c.cutBy(sums)
	w := &r.out.Witnesses.Records
	w.Containers++
	w.Records += result.Records.Total
	for kind, n := range result.Records.ByType {
		w.ByType[kind] += n
	}
	return nil
}

// file returns the file at a path.
func (r *run) file(path string) *model.SourceFile {
	for i := range r.about.Files {
		if r.about.Files[i].Path == path {
			return &r.about.Files[i]
		}
	}
	return &model.SourceFile{Path: path}
}

// losesRecords reports whether a finding means that records, or parts of one, are unreadable. A
// short server response is in a complete record; a record that states its own truncation is
// complete, too.
func losesRecords(code string) bool {
	if strings.HasPrefix(code, "HTTP-") || code == "WARC-TRUNCATED-REASON" {
		return false
	}
	for _, word := range []string{"TRUNCATED", "GARBAGE", "GZIP-CRC", "GZIP-DEFLATE", "GZIP-HEADER", "ZSTD-FRAME",
		"ARC-LENGTH", "WARC-LENGTH"} {
		if strings.Contains(code, word) {
			return true
		}
	}
	return false
}

// nameWithin stores the name that a container states for itself: renaming a file does not change
// it, and the sources have the old name.
func (r *run) nameWithin(id int, c *container, result *model.Container) {
	name := ""
	if result.VersionBlock != nil {
		name = strings.TrimPrefix(result.VersionBlock.Name, "filedesc://")
	}
	for _, f := range result.Info {
		if _, index, ok := strings.Cut(f.Value, "--warc-dedup="); ok && strings.EqualFold(f.Name, "wget-arguments") {
			index, _, _ = strings.Cut(index, `"`)
			r.dedupAgainst = index
		}
		if name == "" && (strings.EqualFold(f.Name, "filename") || strings.EqualFold(f.Name, "arc-name")) {
			name = strings.TrimPrefix(f.Value, "filedesc://") // arc-name is of a WARC made from an ARC
		}
	}
	if bareName(name) == bareName(c.name) || !IsContainerName(name) {
		return
	}
	c.within = name
	bare := bareName(name)
	if other, taken := r.shelf.names[bare]; taken && r.shelf.all[other].present {
		return
	} else if taken { // this is the container thought to be absent
		listed := r.shelf.all[other]
		c.listings = append(c.listings, listed.listings...)
		listed.listings, listed.renamed = nil, true
		r.shelf.exact[listed.name] = id
	}
	r.shelf.names[bare] = id
	if short, _ := stem(bare); r.shelf.stems[short] >= 0 {
		r.shelf.stems[short] = id
	}
}

// readRecord stores a record's statements.
func (r *run) readRecord(id int, c *container, rec *model.Record) error {
	s := sighting{
		kind: ofRecord, at: millis(rec.Date), container: id, offset: rec.Offset, size: rec.Payload, content: rec.Block,
		stored:   rec.Stored,
		unframed: rec.Payload, what: rec.Type, digest: digestOf(rec.PayloadDigest), line: rec.Order,
	}
	for i := range len(rec.Status) {
		s.status = s.status*10 + int(rec.Status[i]-'0')
	}
	how := s.set(rec.URI)
	s.marks = marksOf(rec, s.host)
	if rec.Content != nil && rec.Type != warc.TypeRevisit {
		s.computed, s.unframed = "sha1:"+string(rec.Content.SHA1[:]), rec.Content.Length
	}
	c.lastOffset = max(c.lastOffset, rec.Offset)
	if err := r.place(&s); err != nil {
		return err
	}
	if s.is(isAuxiliary) || c.metadata {
		return nil
	}
	r.spelled(how)
	r.span(c, rec)
	if err := r.see(&s); err != nil {
		return err
	}
	return r.seeReferences(&s, rec)
}

func marksOf(rec *model.Record, host string) (marks uint64) {
	switch rec.Type {
	case warc.TypeResponse, warc.TypeResource, warc.TypeRevisit, warc.TypeConversion, warc.TypeContinuation:
	default:
		marks |= isAuxiliary
	}
	if rec.URI == "" && host == "" {
		marks |= isAuxiliary
	}
	if !rec.Sound {
		marks |= isUnsound
	}
	if rec.Coded {
		marks |= isCoded
	}
	if rec.Truncated != "" {
		marks |= isTruncated
	}
	return marks
}

// span updates the time range of the records.
func (r *run) span(c *container, rec *model.Record) {
	r.records.content++
	c.content++
	if isLookup(rec.URI) {
		r.records.lookups++
	}
	if rec.Date.IsZero() {
		return
	}
	at := rec.Date.UnixMilli()
	r.records.first, r.records.last = min(r.records.first, at), max(r.records.last, at)
	if c.first.IsZero() || rec.Date.Before(c.first) {
		c.first = rec.Date
	}
	if rec.Date.After(c.last) {
		c.last = rec.Date
	}
}

func isLookup(uri string) bool {
	return strings.HasPrefix(uri, "dns:") || strings.HasPrefix(uri, "whois:")
}

// seeReferences stores the target of a revisit, and the ids of possible targets.
func (r *run) seeReferences(s *sighting, rec *model.Record) error {
	if rec.Type == warc.TypeResponse || rec.Type == warc.TypeResource {
		if rec.ID == "" {
			return nil
		}
		return r.see(&sighting{kind: ofID, host: idHost, uri: strings.Trim(rec.ID, "<>"), at: noTime,
			container: s.container, offset: s.offset})
	}
	if rec.Type != warc.TypeRevisit {
		return nil
	}
	w := *s
	w.kind, w.note, w.what = ofWanted, s.url(), revisitUnnamed
	w.computed = ""
	at, err := warc.ParseDate(rec.RefersToDate)
	switch {
	case rec.RefersToURI != "" && err == nil:
		w.set(rec.RefersToURI)
		w.at, w.what = millis(at), revisitByTime
	case rec.RefersTo != "":
		w.kind, w.host, w.uri, w.written, w.what = ofWantedID, idHost, strings.Trim(rec.RefersTo, "<>"), "", revisitByID
	case rec.RefersToURI != "":
		w.set(rec.RefersToURI)
	}
	return r.see(&w)
}

// idHost is the sort key of ids; no host has this name.
const idHost = "\x01id"

// Forms of a revisit's target.
const (
	revisitByTime  = "uri and date"
	revisitByID    = "id"
	revisitUnnamed = "digest"
)

// sums returns the hashes of a container required by its lists.
func (c *container) sums() (sums map[string]hash.Hash, all io.Writer) {
	var writers []io.Writer
	for _, l := range c.listings {
		var h hash.Hash
		switch {
		case sums[l.algorithm] != nil || l.digest == "":
			continue
		case l.algorithm == string(model.MD5):
			h = md5.New()
		case l.algorithm == string(model.SHA1):
			h = sha1.New()
		case l.algorithm == string(model.SHA256):
			h = sha256.New()
		default:
			continue
		}
		if sums == nil {
			sums = map[string]hash.Hash{}
		}
		sums[l.algorithm] = h
		writers = append(writers, h)
	}
	if len(writers) == 0 {
		return nil, nil
	}
	return sums, io.MultiWriter(writers...)
}

// cutBy decides whether the container has become shorter, and compares its digests.
func (c *container) cutBy(sums map[string]hash.Hash) {
	for i := range c.listings {
		l := &c.listings[i]
		if h := sums[l.algorithm]; h != nil && l.digest != "" {
			if strings.EqualFold(l.digest, hex.EncodeToString(h.Sum(nil))) {
				l.digest = ""
			}
		} else {
			l.digest = ""
		}
		if l.size > c.size && (!c.gzipped || l.size > c.inflated) { // it may have been compressed later
			c.cut = l.by + " states " + bytesOf(l.size) + ", and it has only " + bytesOf(c.size)
		}
	}
}
