// Package oaiharvest reads the output of quire oai harvest: a folder with WARC files, or plain
// files, and a harvest.json that describes the harvest. Package quire/oai/harvest writes it;
// docs/reference/590_harvest.md describes it.
package oaiharvest
