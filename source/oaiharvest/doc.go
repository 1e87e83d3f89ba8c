// Package oaiharvest reads what quire oai harvest leaves: a folder with WARC files, or files, and a
// harvest.json that says all of the harvest. Package quire/oai/harvest writes it;
// docs/reference/590_harvest.md describes it.
package oaiharvest
