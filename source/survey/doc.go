// Package survey tells what a source holds before anything is done with it: which harvests, how
// they were recognised, what is known of each and from what, what nobody knows.
//
// The JSON form is a contract: names stay, names may be added.
// docs/reference/400_identify-source.md describes it.
package survey
