// Package characterize writes the results of the pass in containerMD: the file's properties, and
// its records, summed or one by one. docs/reference/345_containermd.md lists it element by element.
//
// [Folder] combines the documents of many containers.
//
// Memory does not grow with the number of records. The schema requires the sums first, so entries
// wait in a temporary file until the sums are known. Text from a crawl is written unchanged, by the
// rule of docs/reference/350_xml-escaping.md.
package characterize
