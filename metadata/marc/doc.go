// Package marc writes and reads MARC 21 records in two forms: MARCXML (the schema MARC21slim 1.1 and 1.2 of the Library of Congress)
// and ISO 2709:2008 as MARC 21 uses it, in UTF-8 (MARC 21 Specifications for Record Structure).
//
//	r := marc.Record{Leader: marc.Website}
//	r.Add("245", '0', '0', marc.Subfield{Code: 'a', Value: "Hello World"})
//	err := marc.WriteXML(x, r)
//	report, err := marc.WriteISO(out, r) // what was left out, because the directory cannot count it
//	r, err = marc.ReadISO(in)            // io.EOF after the last
//
// The directory of ISO 2709 has four digits for the length of a field and five for that of a record. WriteISO leaves out whole
// fields until the record fits, and says which; nothing is cut.
package marc
