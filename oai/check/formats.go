package check

import (
	"strings"

	"quire/metadata/dc"
	"quire/oai/protocol"
)

// checkFormats requests the list of formats.
func (k *checker) checkFormats() error {
	a, err := k.ask(args("verb", "ListMetadataFormats"))
	if err != nil {
		return err
	}
	if len(a.Formats) == 0 {
		k.find(CodeVerb, a.request, "ListMetadataFormats is answered by %s", a.summary())
		return errAnswer
	}
	for _, f := range a.Formats {
		if !protocol.IsPrefix(f.Prefix) {
			k.find(CodePrefix, a.request, "metadataPrefix %.60q has forbidden characters", f.Prefix)
			continue
		}
		if _, twice := k.format[f.Prefix]; twice {
			k.find(CodePrefix, a.request, "metadataPrefix %s is duplicate", f.Prefix)
		}
		k.format[f.Prefix] = f
	}
	switch f, ok := k.format["oai_dc"]; {
	case !ok:
		k.find(CodeDC, a.request, "oai_dc is not among the formats")
	case f.Namespace != dc.OAINamespace:
		k.find(CodeDC, a.request, "the namespace of oai_dc is %.100q", f.Namespace)
	case f.Schema != dc.SchemaLocation:
		k.find(CodeDC, a.request, "the schema of oai_dc is %.100q", f.Schema)
	}
	return nil
}

// checkSets reads ListSets to its end, or as far as the limit allows.
func (k *checker) checkSets() error {
	l := &following{k: k, verb: "ListSets", most: max(2, k.opt.Requests/10)}
	err := l.follow(nil, func(a *answer) {
		for _, s := range a.sets {
			k.checkSet(a, s)
		}
	})
	if l.pages > 0 && l.last.Has(protocol.NoSetHierarchy) {
		k.noSets = true
		return nil
	}
	if err != nil {
		return err
	}
	if l.pages == 1 && len(k.sets) == 0 {
		k.find(CodeVerb, l.last.request, "ListSets is answered by %s", l.last.summary())
	}
	k.allSets = l.complete
	if k.allSets {
		for spec := range k.sets {
			if i := strings.LastIndexByte(spec, ':'); i > 0 && !k.sets[spec[:i]] {
				k.find(CodeSetAbove, l.last.request, "the list has set %s without its parent %s", spec, spec[:i])
			}
		}
	}
	return nil
}

// maxSets is the number of sets kept for comparison.
const maxSets = 100_000

func (k *checker) checkSet(a *answer, s protocol.Set) {
	if !protocol.IsSetSpec(s.Spec) {
		k.find(CodeSetSpec, a.request, "setSpec %.100q", s.Spec)
		return
	}
	if k.sets[s.Spec] {
		k.find(CodeSetTwice, a.request, "set %s is duplicate", s.Spec)
	}
	if s.Name == "" {
		k.find(CodeSetName, a.request, "set %s has no setName", s.Spec)
	}
	if len(k.sets) < maxSets {
		k.sets[s.Spec] = true
	}
}
