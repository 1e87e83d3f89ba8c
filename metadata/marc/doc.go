// Package marc writes records of MARC 21 and UNIMARC. MARC 21 has two forms: MARCXML (the schema
// MARC21slim 1.1 and 1.2 of the Library of Congress) and ISO 2709:2008 as MARC 21 uses it, in UTF-8
// (MARC 21 Specifications for Record Structure). UNIMARC has MarcXchange (ISO 25577) and ISO 2709.
// The leader of a record decides.
//
// The directory of ISO 2709 has four digits for the length of a field and five for that of a
// record. WriteISO omits whole fields until the record fits, and reports them; it never cuts a
// field.
package marc
