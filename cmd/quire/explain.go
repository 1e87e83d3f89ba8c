package main

import (
	"fmt"
	"strings"

	handed "quire/access/export/check"
	"quire/model/finding"
	"quire/oai/check"
	"quire/preserve/aip"
	"quire/preserve/inspect"
	"quire/preserve/report"
	"quire/source/survey"
)

type explainCmd struct {
	Code string `arg:"" optional:"" help:"The code of a finding. Default: list all codes."`
	jsonFlag
}

// catalogues lists all catalogues of findings, in the order of the output.
var catalogues = []*finding.Catalogue{inspect.Catalogue, survey.Catalogue, aip.Catalogue, handed.Catalogue,
	check.Catalogue}

// Run prints the meaning of a finding, or lists all findings.
func (c *explainCmd) Run(t *terminal) error {
	if c.Code == "" {
		return c.list(t)
	}
	for _, catalogue := range catalogues {
		e, ok := catalogue.Explain(strings.ToUpper(c.Code))
		switch {
		case !ok:
		case c.JSON:
			return t.json(e)
		default:
			return report.Entry(t.out, catalogue, &e)
		}
	}
	return fmt.Errorf("no finding has the code %q; \"quire explain\" lists them all", c.Code)
}

func (c *explainCmd) list(t *terminal) error {
	for _, catalogue := range catalogues {
		if !c.JSON {
			if err := report.Catalogue(t.out, catalogue); err != nil {
				return err
			}
			continue
		}
		for _, e := range catalogue.All() {
			if err := t.json(e); err != nil {
				return err
			}
		}
	}
	return nil
}
