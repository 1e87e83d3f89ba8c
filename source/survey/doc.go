// Package survey describes the content of a source before it is processed: its harvests, the
// reasons for recognising them, the facts about each with their sources, and the missing facts.
//
// The JSON form is a contract: names stay, names may be added.
// docs/reference/400_identify-source.md describes it.
package survey
