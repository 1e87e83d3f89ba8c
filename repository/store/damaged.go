package store

import "slices"

// Damaged lists the packages with findings that Repair can handle, sorted: those in the catalogue.
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
