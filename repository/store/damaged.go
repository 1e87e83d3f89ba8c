package store

import "slices"

// Damaged lists the packages that an audit found something wrong with and that Repair can look
// after, sorted: those that the catalogue knows.
func (r AuditReport) Damaged() []string {
	var ids []string
	for _, f := range r.Findings {
		if f.Package != "" && f.Code != UnknownObject && !slices.Contains(ids, f.Package) {
			ids = append(ids, f.Package)
		}
	}
	slices.Sort(ids)
	return ids
}
