package main

import (
	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/pack"
)

// absentShown is the number of absent containers that pack prints for each harvest.
const absentShown = 10

// printCompleteness prints the harvests with absent containers, or with sources that disagree.
func printCompleteness(t *terminal, harvests []pack.HarvestRef, all []pack.Completeness) {
	for i := range all {
		c := &all[i]
		if c.Outcome == model.Success {
			continue
		}
		word := "incomplete"
		if c.Outcome == model.Warned {
			word = "doubtful"
		}
		h := harvests[c.Harvest-1]
		t.printf("  %-10s  %s %s: %s; see quire reconcile\n", word, h.System, humanize.Visible(h.ID), c.Summary())
		for j := range c.Missed[:min(len(c.Missed), absentShown)] {
			t.printf("  absent      %s\n", humanize.Visible(c.Missed[j].String()))
		}
		if more := c.Absent - absentShown; more > 0 {
			t.printf("  absent      and %s, see the METS\n", humanize.Number(more, "more container", "more containers"))
		}
	}
}
