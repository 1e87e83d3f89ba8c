// Package harvestmd writes and reads harvestMD 1, Quire's own XML for the outcome of a harvest: the
// run, its definition, its settings, and the crawler's counts by host, media type and status. The
// schema is harvestmd.xsd; docs/reference/347_harvestmd.md describes each element.
//
// Each part is one element, for a premis:eventOutcomeDetailExtension. Facts keep the name, the value
// and the source in the words of the source.
package harvestmd
