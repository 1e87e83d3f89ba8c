// Package characterize says in containerMD what the pass wrote down of a container: what the file
// is, and what its records are, summed or one by one. docs/reference/345_containermd.md has it
// element by element.
//
// [Folder] takes the documents of many containers.
//
// Memory does not grow with the number of records: entries wait in a temporary file until the sums,
// which the schema wants first, are known. What comes from a crawl is written as it was found, by
// the rule of docs/reference/350_xml-escaping.md.
package characterize
