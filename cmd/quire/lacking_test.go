package main

import (
	"bytes"
	"testing"

	"quire/access/withdrawal"
	"quire/repository/catalogue"
)

// TestPrintLacking: a copy that has a withdrawal by the checksums of its service does not lack it.
func TestPrintLacking(t *testing.T) {
	for status, lacks := range map[catalogue.Status]bool{catalogue.Good: false, catalogue.AsListed: false,
		catalogue.Damaged: true, catalogue.Owed: true, catalogue.Away: true} {
		var out bytes.Buffer
		printLacking(&terminal{out: &out}, []withdrawal.Copy{{Name: "copy-1", Status: status}})
		if (out.Len() > 0) != lacks {
			t.Errorf("%s: %q", status, out.String())
		}
	}
}
