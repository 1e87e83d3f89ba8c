package pack

import (
	"slices"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/preserve/aip"
)

// maxSecrets bounds the number of distinct reasons.
const maxSecrets = 100

// restrict records why a file must be restricted.
func (b *builder) restrict(why string) {
	if why == "" {
		return
	}
	b.result.Restricted++
	b.secret(why)
}

// secret records why part of the package must be restricted.
func (b *builder) secret(why string) {
	if !slices.Contains(b.secrets, why) && len(b.secrets) < maxSecrets {
		b.secrets = append(b.secrets, why)
	}
}

// restriction returns the section with the reason why a file is restricted. Reasons beyond the
// limit share the last section, so every restricted file has one.
func (b *builder) restriction(why string) string {
	i := slices.Index(b.secrets, why)
	if i < 0 {
		i = len(b.secrets) - 1
	}
	return aip.RestrictionID(i + 1)
}

// restrictionsOf returns the sections of distinct reasons, without the empty one.
func (b *builder) restrictionsOf(reasons ...string) (ids []string) {
	for _, why := range reasons {
		if why == "" {
			continue
		}
		if id := b.restriction(why); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// restrictions writes an amdSec for each reason (2.4): files name it as a whole.
func (b *builder) restrictions(w *mets.Writer) {
	for i, why := range b.secrets {
		id := aip.RestrictionRightsID(i + 1)
		w.StartAmdSec(aip.RestrictionID(i + 1))
		b.rightsSection(w, id, premis.Rights{Statements: []premis.Statement{{
			Identifier: b.identify(id), Basis: premis.RightsBasis("other"),
			Other: &premis.OtherRights{Basis: premis.Text("protection of secrets and of persons"),
				Notes: []string{why}},
			Granted: []premis.Grant{{
				Act: premis.Text("disseminate"), Restrictions: []premis.Term{premis.Text("restricted")},
				Notes: []string{why},
			}},
		}}})
		w.EndAmdSec()
	}
}
