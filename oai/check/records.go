package check

import (
	"fmt"
	"time"

	"quire/oai/protocol"
)

// checkIdentifiers reads ListIdentifiers in oai_dc and checks every header.
func (k *checker) checkIdentifiers() error {
	l := &following{k: k, verb: "ListIdentifiers", most: max(3, k.opt.Requests/3)}
	o := &order{}
	err := l.follow(args("metadataPrefix", "oai_dc"), func(a *answer) {
		for _, h := range a.heads {
			k.checkHeader(a, h)
			o.next(k, a, h)
			k.remember(a, h)
		}
	})
	if l.pages > 0 && len(l.last.Errors) > 0 && l.pages == 1 {
		if l.last.Has(protocol.NoRecordsMatch) {
			return fmt.Errorf("%w: the repository has no records in oai_dc", errAnswer)
		}
		k.find(CodeVerb, l.last.request, "ListIdentifiers is answered by %s", l.last.summary())
		return errAnswer
	}
	if err != nil {
		return err
	}
	if !l.complete {
		k.report.Undone = append(k.report.Undone,
			fmt.Sprintf("ListIdentifiers: the list continues after %d pages (--requests)", l.pages))
	}
	if k.sample.id == "" {
		return fmt.Errorf("%w: the list has no record that is not deleted", errAnswer)
	}
	return nil
}

// remember keeps a header for comparison with other verbs. It chooses the first record that is not
// deleted as the sample.
func (k *checker) remember(a *answer, h head) {
	if old, twice := k.listed[h.id]; twice && old.datestamp == h.datestamp {
		k.find(CodeTwice, a.request, "record %.200s is duplicate, with the same datestamp", h.id)
	}
	if len(k.listed) < maxListed {
		k.listed[h.id] = h
	}
	if k.sample.id == "" && !h.deleted && protocol.IsURI(h.id) {
		k.sample, k.sampled = h, a.Date
	}
}

// checkHeader checks one header (clause 2.5).
func (k *checker) checkHeader(a *answer, h head) {
	k.report.Records++
	if !protocol.IsURI(h.id) {
		k.find(CodeIdentifier, a.request, "identifier %.200q is not a URI", h.id)
	}
	for _, s := range h.sets {
		switch {
		case !protocol.IsSetSpec(s):
			k.find(CodeSetSpec, a.request, "record %.200s has the setSpec %.100q", h.id, s)
		case k.noSets:
			k.find(CodeSetUnlisted, a.request, "record %.200s is in the set %s, but the repository has "+
				"no sets", h.id, s)
		case k.allSets && len(k.sets) < maxSets && !k.sets[s]:
			k.find(CodeSetUnlisted, a.request, "record %.200s is in the unlisted set %s", h.id, s)
		}
	}
	if h.deleted && k.identify.DeletedRecord == "no" {
		k.find(CodeDeletedRecord, a.request, "record %.200s is deleted, but deletedRecord is no", h.id)
	}
	k.checkDatestamp(a, h)
}

func (k *checker) checkDatestamp(a *answer, h head) {
	t, g, err := protocol.ParseDatestamp(h.datestamp)
	if err != nil || string(g) != k.identify.Granularity {
		k.find(CodeDatestamp, a.request, "record %.200s has the datestamp %.60q, but the granularity is %s", h.id,
			h.datestamp, k.identify.Granularity)
		return
	}
	if !a.Date.IsZero() && t.After(a.Date) {
		k.find(CodeFuture, a.request, "record %.200s has the datestamp %s, later than the responseDate %s", h.id,
			h.datestamp, a.DateText)
	}
	if e := k.identify.Earliest; !e.IsZero() && t.Before(e) {
		k.find(CodeEarlier, a.request, "record %.200s has the datestamp %s, before earliestDatestamp %s", h.id,
			h.datestamp, k.identify.EarliestText)
	}
}

// order checks whether a list is in the order of datestamps. The order is optional, but it lets a
// harvester continue from a date.
type order struct {
	last time.Time
	told bool
}

func (o *order) next(k *checker, a *answer, h head) {
	t, _, err := protocol.ParseDatestamp(h.datestamp)
	if err != nil {
		return
	}
	if t.Before(o.last) && !o.told {
		o.told = true
		k.find(CodeOrder, a.request, "record %.200s comes after one that changed later", h.id)
	}
	o.last = t
}

// checkMetadata checks a record except its header (clause 2.5).
func (k *checker) checkMetadata(a *answer, h head, prefix string) {
	switch {
	case h.deleted && (h.metadata || h.abouts > 0):
		k.find(CodeDeletedMetadata, a.request, "record %.200s is deleted, but has metadata", h.id)
	case !h.deleted && !h.metadata:
		k.find(CodeNoMetadata, a.request, "record %.200s has no metadata", h.id)
	case h.metadata && k.format[prefix].Namespace != "" && h.space != k.format[prefix].Namespace:
		k.find(CodeMetadataSpace, a.request,
			"the metadata of record %.200s are in the namespace %.100q, but that of %s is %s", h.id, h.space, prefix,
			k.format[prefix].Namespace)
	}
	if known, ok := k.listed[h.id]; ok && prefix == "oai_dc" && known.datestamp == h.datestamp &&
		!sameHeader(known, h) {
		k.find(CodeHeader, a.request, "the header of record %.200s differs from that in ListIdentifiers", h.id)
	}
}

// checkRecord requests the sample record and its formats.
func (k *checker) checkRecord() error {
	if k.sample.id == "" {
		return errAnswer
	}
	a, err := k.ask(args("verb", "ListMetadataFormats", "identifier", k.sample.id))
	if err != nil {
		return err
	}
	hasDC := false
	for _, f := range a.Formats {
		hasDC = hasDC || f.Prefix == "oai_dc"
	}
	if !hasDC {
		k.find(CodeDC, a.request, "the formats of a record listed in oai_dc lack oai_dc: %s", a.summary())
	}
	a, err = k.ask(args("verb", "GetRecord", "metadataPrefix", "oai_dc", "identifier", k.sample.id))
	if err != nil {
		return err
	}
	if len(a.heads) != 1 || a.heads[0].id != k.sample.id {
		k.find(CodeGetRecord, a.request, "the answer to GetRecord for a listed record is %s", a.summary())
		return nil
	}
	h := a.heads[0]
	k.checkHeader(a, h)
	k.checkMetadata(a, h, "oai_dc")
	switch t, _, err := protocol.ParseDatestamp(h.datestamp); {
	case h.datestamp == k.sample.datestamp:
	case err == nil && !t.Before(k.sampled):
		k.sample = h // it has changed meanwhile
	default:
		k.find(CodeHeader, a.request, "the datestamp of record %.200s is %s, but was %s in ListIdentifiers", h.id,
			h.datestamp, k.listed[h.id].datestamp)
	}
	return nil
}

// checkRecords reads some pages of ListRecords and compares them with ListIdentifiers.
func (k *checker) checkRecords() error {
	l := &following{k: k, verb: "ListRecords", most: max(3, k.opt.Requests/4)}
	n := 0
	err := l.follow(args("metadataPrefix", "oai_dc"), func(a *answer) {
		for _, h := range a.heads {
			n++
			k.checkHeader(a, h)
			k.checkMetadata(a, h, "oai_dc")
		}
	})
	if l.pages == 1 && len(l.last.Errors) > 0 && len(k.listed) > 0 {
		k.find(CodeVerb, l.last.request, "ListRecords is answered by %s, but ListIdentifiers by a "+
			"list", l.last.summary())
		return nil
	}
	if err != nil {
		return err
	}
	if l.complete && len(k.listed) < maxListed && n < len(k.listed) {
		k.find(CodeLists, l.last.request, "ListRecords has %d records, but ListIdentifiers has %d", n, len(k.listed))
	}
	return nil
}

// checkOtherFormats requests the sample in each of its formats.
func (k *checker) checkOtherFormats() error {
	if k.sample.id == "" {
		return errAnswer
	}
	a, err := k.ask(args("verb", "ListMetadataFormats", "identifier", k.sample.id))
	if err != nil {
		return err
	}
	for _, f := range a.Formats {
		if f.Prefix == "oai_dc" || !protocol.IsPrefix(f.Prefix) {
			continue
		}
		a, err := k.ask(args("verb", "GetRecord", "metadataPrefix", f.Prefix, "identifier", k.sample.id))
		if err != nil {
			return err
		}
		if len(a.heads) != 1 {
			k.find(CodeGetRecord, a.request, "the answer for a record in one of its formats is %s",
				a.summary())
			continue
		}
		k.checkMetadata(a, a.heads[0], f.Prefix)
	}
	return nil
}
